import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import type { Screen } from './screen.ts'

const NEW = '/projects/orchard/trackers/new'

/** The screens that create trackers. */
export const SCREENS_OF_NEW_TRACKER: readonly Screen[] = [
  { name: 'project-without-trackers', path: '/projects/nursery', as: MARA, within: '#main', shows: 'Requirements' },
  {
    name: 'new-tracker',
    path: NEW,
    as: MARA,
    within: '#main',
    shows: 'Create 2 trackers',
    prepare: async (page, say) => {
      for (const name of ['Tasks', 'Risks']) await page.getByRole('checkbox', { name: say(name), exact: true }).check()
    },
  },
  { name: 'new-tracker-copy', path: `${NEW}?from=copy`, as: MARA, within: '#main', shows: 'Artifacts are not' },
  { name: 'new-tracker-file', path: `${NEW}?from=file`, as: MARA, within: '#main', shows: 'Definition (JSON file)' },
  {
    name: 'new-tracker-csv',
    path: `${NEW}?from=csv`,
    as: MARA,
    within: '#main',
    shows: '3 rows, 4 columns',
    prepare: (page, say) =>
      page.getByLabel(say('Table (CSV file)')).setInputFiles({
        name: 'worn_parts.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'Summary,Status,Points,Found on\nPump leaks,Open,3,2026-11-02\nSeal worn,Open,,\nValve,Done,x,\n',
        ),
      }),
  },
  { name: 'new-tracker-empty', path: `${NEW}?from=empty`, as: MARA, within: '#main', shows: 'A title field' },
  { name: 'new-tracker-not-yours', path: NEW, as: TOM, within: '#main', shows: 'Only administrators' },
]
