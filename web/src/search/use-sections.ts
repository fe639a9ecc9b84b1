import { useQuery } from '@tanstack/react-query'
import type { QuickHits } from '@waypost/sdk/api'
import { useDebounced } from '../artifacts/use-debounced.ts'
import { text } from './messages.ts'
import {
  actionRow,
  artifactRow,
  type PaletteAction,
  type PaletteSection,
  personRow,
  projectRow,
  trackerRow,
} from './palette-row.tsx'
import { quickQuery } from './quick-query.ts'
import { beginsWords, readTyped, type TypedQuery } from './read-typed.ts'
import { useActions } from './use-actions.ts'

/** Letters of one burst are sent together. */
const TYPING_PAUSE_MS = 60
const MAX_ACTION_ROWS = 8

interface Sections {
  readonly sections: readonly PaletteSection[]
  /** The rows belong to what is typed now. */
  readonly isSettled: boolean
}

export function useSections(typed: string, project: number | undefined): Sections {
  const asked = useDebounced(typed, TYPING_PAUSE_MS)
  const query = quickQuery(readTyped(asked), project)
  const { data, isPlaceholderData, isFetching } = useQuery(query)
  const now = readTyped(typed)
  const hits = now.query === '' ? undefined : data
  const actions = useActions(hits?.trackers ?? [])
  const isSettled = now.query === '' || (asked === typed && !isPlaceholderData && !(isFetching && !data))
  return { sections: arrange(now, hits ?? NO_HITS, actions), isSettled }
}

const NO_HITS: QuickHits = { artifacts: [], trackers: [], projects: [], people: [] }

/** Trackers, projects and actions that begin as typed come first, then the others. */
function arrange(
  { mode, query, words }: TypedQuery,
  hits: QuickHits,
  actions: readonly PaletteAction[],
): readonly PaletteSection[] {
  const fitting = (label: string) => beginsWords(label, words)
  // The hits may be those of the letter before, in another mode.
  const isAsked = (only: TypedQuery['mode']) => mode === 'all' || mode === only
  const all = {
    artifacts: { name: text('palette.artifacts'), rows: isAsked('ids') ? hits.artifacts.map(artifactRow) : [] },
    places: {
      name: text('palette.places'),
      rows: mode === 'all' ? [...hits.trackers.map(trackerRow), ...hits.projects.map(projectRow)] : [],
    },
    people: { name: text('palette.people'), rows: isAsked('people') ? hits.people.map(personRow) : [] },
    actions: { name: text('palette.actions'), rows: actionRows(mode, actions, fitting) },
  }
  const isNamed = hits.artifacts.some(({ matched }) => matched === 'id')
  const areFirst = query !== '' && !isNamed
  const strong = areFirst
    ? [all.places, all.actions].filter(({ rows }) =>
        rows.some(({ label }) => label.toLowerCase().startsWith(query.toLowerCase())),
      )
    : []
  const rest = [all.artifacts, all.places, all.people, all.actions].filter((section) => !strong.includes(section))
  return [...strong, ...rest].filter(({ rows }) => rows.length > 0)
}

function actionRows(mode: TypedQuery['mode'], actions: readonly PaletteAction[], fitting: (label: string) => boolean) {
  if (mode === 'people' || mode === 'ids') return []
  const offered = actions.filter(({ label, detail }) => fitting(`${label} ${detail ?? ''}`))
  return (mode === 'actions' ? offered : offered.slice(0, MAX_ACTION_ROWS)).map(actionRow)
}
