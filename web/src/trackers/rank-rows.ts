import { api } from '../api.ts'
import { explainRefusal } from '../artifacts/explain-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import type { GridRows } from './grid-rows.ts'
import type { Beside } from './row-store.ts'

export interface RankMove {
  readonly tracker: number
  readonly id: number
  readonly name: string
  readonly to: Beside
  /** Another write that has to succeed first; it shows its own message. */
  readonly after?: Promise<boolean>
}

/** Moves an artifact in the order of its tracker. It is shown there at once, and returns if it is refused. */
export async function rankRow(loader: GridRows, move: RankMove): Promise<void> {
  const { store } = loader
  const { tracker, id, name, to, after } = move
  const back = neighbourOf(loader, id)
  store.moveBeside?.(id, to)
  const takeBack = () => {
    if (back) store.moveBeside?.(id, back)
  }
  if (after !== undefined && !(await after)) return takeBack()
  const place = to.side === 'before' ? { before: to.anchor } : { after: to.anchor }
  const answer = await api.call('PUT /trackers/{id}/rank', { path: { id: tracker }, body: { ids: [id], ...place } })
  if (!answer.ok) {
    takeBack()
    return showToast(text('rank.refused', { name, why: await explainRefusal(answer) }), { isTrouble: true })
  }
  loader.refresh()
  if (after === undefined)
    showToast(
      text('rank.moved', { name }),
      back ? { undo: () => void rankRow(loader, { tracker, id, name, to: back }) } : {},
    )
}

/** The present place of a row: before the next one, or after the one above. */
function neighbourOf({ store }: GridRows, id: number): Beside | undefined {
  const place = store.placeOf(id)
  if (place === undefined) return undefined
  const next = store.idAt(place + 1)
  if (next !== undefined) return { side: 'before', anchor: next }
  const above = place > 0 ? store.idAt(place - 1) : undefined
  return above === undefined ? undefined : { side: 'after', anchor: above }
}
