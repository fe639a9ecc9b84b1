import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ListedObject, QuickHits } from '@waypost/sdk/api'
import { useSession } from '../accounts/session.ts'
import { useDebounced } from '../artifacts/use-debounced.ts'
import { foldText } from '../design/fold-text.ts'
import { recentlySeenQuery } from '../personal-lists/personal-lists.ts'
import { text } from './messages.ts'
import {
  actionRow,
  allResultsRow,
  artifactRow,
  type PaletteAction,
  type PaletteSection,
  personRow,
  projectRow,
  recentRow,
  trackerRow,
} from './palette-row.tsx'
import { quickQuery } from './quick-query.ts'
import { orderByMatch } from './order-by-match.ts'
import { beginsWords, readTyped, type TypedQuery, wordsBehind } from './read-typed.ts'
import { useActions } from './use-actions.ts'

/** Letters of one burst are sent together. */
const TYPING_PAUSE_MS = 60
const MAX_ACTION_ROWS = 8
/** Of artifacts, trackers, projects and people each. */
const MAX_HIT_ROWS = 8
const MAX_RECENT_ROWS = 5

interface Sections {
  readonly sections: readonly PaletteSection[]
  /** The rows belong to what is typed now. */
  readonly isSettled: boolean
}

export function useSections(typed: string, project: number | undefined, openAll: () => void): Sections {
  const asked = useDebounced(typed, TYPING_PAUSE_MS)
  const found = useQuery(quickQuery(readTyped(asked), project))
  const targets = useQuery(quickQuery(readCreation(asked), project))
  const now = readTyped(typed)
  const hits = now.query === '' ? undefined : found.data
  const isCreation = readCreation(typed).query !== ''
  const trackers = isCreation ? targets.data?.trackers : hits?.trackers
  const actions = useActions(trackers ?? [], now.mode === 'all' ? now.query : '')
  const recent = useRecent(project)
  const isSettled = now.query === '' || (asked === typed && isCurrent(found) && (!isCreation || isCurrent(targets)))
  return { sections: arrange(now, hits ?? NO_HITS, actions, recent, openAll), isSettled }
}

/** `new bug` asks for the trackers that are called so. */
function readCreation(typed: string): TypedQuery {
  const verb = text('action.new', { item: '' }).replaceAll(/\P{L}/gu, '')
  const words = wordsBehind(verb, readTyped(typed).words)
  return { mode: 'actions', query: words.join(' '), words }
}

/** The rows are not those of the letter before. */
function isCurrent({ data, isPlaceholderData, isFetching }: UseQueryResult<QuickHits>): boolean {
  return !isPlaceholderData && !(isFetching && !data)
}

/** The objects that the viewer has seen last, in the project if one is given. */
function useRecent(project: number | undefined): readonly ListedObject[] {
  const { data: session } = useSession()
  const { data: recent = [] } = useQuery({ ...recentlySeenQuery, enabled: Boolean(session) })
  return recent.filter((object) => project === undefined || object.project.id === project)
}

const NO_HITS: QuickHits = { artifacts: [], trackers: [], projects: [], people: [], files: [], commits: [] }

/** Objects that were seen recently come first, then trackers, projects and actions that begin as typed, then the others. */
function arrange(
  { mode, query, words }: TypedQuery,
  hits: QuickHits,
  actions: readonly PaletteAction[],
  recent: readonly ListedObject[],
  openAll: () => void,
): readonly PaletteSection[] {
  const fitting = (label: string) => beginsWords(label, words)
  const seen = mode === 'all' ? recent.filter(({ xref, label }) => fitting(`${xref ?? ''} ${label}`)) : []
  const shown = seen.slice(0, MAX_RECENT_ROWS)
  const isNew = ({ uri }: { readonly uri: string }) => !shown.some((object) => object.uri === uri)
  const best = orderByMatch(hits.artifacts, { query, words })
  // The hits may be those of the letter before, in another mode.
  const isAsked = (only: TypedQuery['mode']) => mode === 'all' || mode === only
  const all = {
    recent: { name: text('palette.recent'), rows: shown.map(recentRow) },
    artifacts: {
      name: text('palette.artifacts'),
      rows:
        isAsked('ids') && hits.artifacts.length > 0
          ? [...top(best.filter(isNew)).map(artifactRow), allResultsRow(query, openAll)]
          : [],
    },
    places: {
      name: text('palette.places'),
      rows:
        mode === 'all'
          ? [...top(hits.trackers.filter(isNew)).map(trackerRow), ...top(hits.projects.filter(isNew)).map(projectRow)]
          : [],
    },
    people: { name: text('palette.people'), rows: isAsked('people') ? top(hits.people).map(personRow) : [] },
    actions: { name: text('palette.actions'), rows: actionRows(mode, actions, fitting) },
  }
  const isNamed = hits.artifacts.some(({ matched }) => matched === 'id')
  const areFirst = query !== '' && !isNamed
  const strong = areFirst
    ? [all.places, all.actions].filter(({ rows }) =>
        rows.some(({ label }) => foldText(label).startsWith(foldText(query))),
      )
    : []
  const rest = [all.artifacts, all.places, all.people, all.actions].filter((section) => !strong.includes(section))
  return [all.recent, ...strong, ...rest].filter(({ rows }) => rows.length > 0)
}

function top<H>(hits: readonly H[]): readonly H[] {
  return hits.slice(0, MAX_HIT_ROWS)
}

function actionRows(mode: TypedQuery['mode'], actions: readonly PaletteAction[], fitting: (label: string) => boolean) {
  if (mode === 'people' || mode === 'ids') return []
  const offered = actions.filter(({ label, detail }) => fitting(`${label} ${detail ?? ''}`))
  return (mode === 'actions' ? offered : offered.slice(0, MAX_ACTION_ROWS)).map(actionRow)
}
