import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { QuickTracker } from '@waypost/sdk/api'
import { useSession } from '../accounts/session.ts'
import { artifactQuery } from '../artifacts/artifact-queries.ts'
import { findKeyField, isPickable, PICKER_KEYS } from '../artifacts/key-fields.ts'
import { useCurrentPlace } from '../shell/use-current-place.ts'
import { toQuery } from '../trackers/tql/plain-words.ts'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { assignTo, mayAssign } from './assign-to.ts'
import { text } from './messages.ts'
import type { PaletteAction } from './palette-row.tsx'
import { useCommands } from './use-commands.ts'

/** Everything that can be done from here, the nearest first: with the open artifact, in trackers, on all pages. */
export function useActions(found: readonly QuickTracker[], query: string): readonly PaletteAction[] {
  return [...useArtifactActions(), ...useCreations(found), ...useFilter(query), ...useCommands()]
}

function useArtifactActions(): PaletteAction[] {
  const [, room, name = ''] = useLocation().pathname.split('/')
  const { data: session } = useSession()
  const { data: open } = useQuery({ ...artifactQuery(Number(name)), enabled: false })
  const me = session?.user.id ?? null
  if (!open || me === null || room !== 'artifacts') return []
  const isMine = open.artifact.assignees.some(({ id }) => id === me)
  const assign = { id: 'assign-me', label: text('action.assign_me'), run: () => void assignTo(open, me) }
  const picks = PICKER_KEYS.flatMap((key): PaletteAction[] => {
    const field = findKeyField(open.tracker, key)
    const label = text(`action.pick_${key}`)
    return field && isPickable(field) ? [{ id: `pick-${key}`, label, keys: key, run: () => press(key) }] : []
  })
  return [...(mayAssign(open, me) && !isMine ? [assign] : []), ...picks]
}

/** The page has the picker; its key opens it once the palette is gone. */
function press(key: string): void {
  setTimeout(() => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
}

/** The typed words as the filter of the current tracker; nothing without words. */
function useFilter(query: string): PaletteAction[] {
  const navigate = useNavigate()
  const { tracker: current } = useCurrentPlace()
  const { data: tracker } = useQuery({ ...trackerQuery(current ?? 0), enabled: false })
  if (!tracker || query === '') return []
  const search = { q: toQuery(query, tracker) }
  const run = () => void navigate({ to: '/trackers/$id', params: { id: String(tracker.id) }, search })
  return [{ id: 'filter', label: text('action.filter', { tracker: tracker.label, query }), run }]
}

/** New artifacts, in the current tracker and in those that were found. */
function useCreations(found: readonly QuickTracker[]): PaletteAction[] {
  const navigate = useNavigate()
  const { data: session } = useSession()
  const { tracker: current } = useCurrentPlace()
  const { data: tracker } = useQuery({ ...trackerQuery(current ?? 0), enabled: false })
  if (!session) return []
  const creation = (id: number, item: string, detail: string): PaletteAction => ({
    id: `new-${id}`,
    label: text('action.new', { item }),
    detail,
    run: () => void navigate({ to: '/trackers/$tracker/new', params: { tracker: String(id) } }),
  })
  const here = tracker ? [creation(tracker.id, tracker.item_name, tracker.label)] : []
  const others = found
    .filter(({ id }) => id !== tracker?.id)
    .map(({ id, item_name, label, project }) =>
      creation(id, item_name, text('action.new_in', { tracker: label, project: project.label })),
    )
  return [...here, ...others]
}
