import type { Page } from 'playwright-core'
import { MARA } from '../../server/test/fixtures/people.ts'
import { BUGS, LEDGER } from '../../server/test/fixtures/seed-ids.ts'
import type { Say } from './say.ts'
import type { Screen } from './screen.ts'

const administration = (screen: string, tracker = BUGS) => `/trackers/${tracker}/administration/${screen}`

/** The screens of a tracker administrator. */
export const SCREENS_OF_TRACKER_ADMINISTRATION: readonly Screen[] = [
  { name: 'tracker-administration-general', path: administration('general'), as: MARA, shows: 'Delete the tracker' },
  { name: 'tracker-administration-rules', path: administration('rules'), as: MARA, shows: 'Field dependencies' },
  { name: 'tracker-administration-elements', path: administration('elements'), as: MARA, shows: 'Old' },
  {
    name: 'tracker-administration-edit-list',
    path: administration('elements'),
    as: MARA,
    shows: 'Add the value',
    prepare: (page, say) => page.getByRole('button', { name: say('Edit Status') }).click(),
  },
  {
    name: 'tracker-administration-plan',
    path: administration('elements'),
    as: MARA,
    shows: 'No artifact has values',
    prepare: planAMove,
  },
  {
    name: 'tracker-administration-permissions',
    path: administration('permissions', LEDGER),
    as: MARA,
    shows: 'See all artifacts',
  },
  { name: 'tracker-administration-workflow', path: administration('workflow'), as: MARA, shows: 'No conditions.' },
  { name: 'tracker-administration-semantics', path: administration('semantics'), as: MARA, shows: 'Hover card' },
  { name: 'tracker-administration-trash', path: administration('trash'), as: MARA, shows: 'Bees on strike' },
  { name: 'tracker-administration-webhooks', path: administration('webhooks'), as: MARA, shows: 'No webhooks yet' },
]

async function planAMove(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('Move Due up') }).click()
  await page.getByRole('button', { name: say('Preview and apply…') }).click()
}
