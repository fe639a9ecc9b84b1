import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { showToast } from '../design/toasts.ts'
import { rankRow } from '../trackers/rank-rows.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import type { Beside } from '../trackers/row-store.ts'
import { text } from './messages.ts'
import type { BoardFields } from './board-fields.ts'
import { columnKey, laneIdOf, type Layout } from './board-layout.ts'
import { nextSlot, otherCards, placeOfSlot, slotOf } from './board-slots.ts'
import type { Direction } from './keyboard-navigation.ts'
import type { MoveQuestion } from './move-dialog.tsx'
import { type BoardCell, type HeldCard, isSameCell, useHeldCard } from './use-held.ts'
import { type CardFieldChange, type CardMove, useMoves } from './use-moves.ts'
import { useSteps } from './use-steps.ts'

interface Options {
  readonly tracker: Tracker
  readonly fields: BoardFields
  readonly layout: Layout
  readonly loader: RowLoader
  /** Cards keep the place in their column that people give them. */
  readonly isByHand: boolean
  /** A card whose steps are checked although it is not held. */
  readonly asked: number | undefined
  readonly onWantsComment: (move: CardMove, why: string) => void
}

/** Carries cards between columns and lanes, and up and down if they are ordered by hand. */
export function useCarrying({ tracker, fields, layout, loader, isByHand, asked, onWantsComment }: Options) {
  const { columns, lanes } = layout
  const { held, hold, over, release } = useHeldCard()
  const move = useMoves(loader, onWantsComment)
  const find = (card: number | undefined) => (card === undefined ? undefined : loader.store.find(card))
  const subject = find(held?.id ?? asked)
  const { step, whyNotLane } = useSteps(tracker, fields, columns, subject)

  const cellOf = (artifact: Artifact): BoardCell => ({
    key: columnKey(artifact, fields.columns),
    lane: laneIdOf(artifact, fields.lanes),
  })
  const whyNot = ({ from }: { from: BoardCell }, to: BoardCell) =>
    step(to.key).whyNot ?? (to.lane === from.lane ? undefined : whyNotLane)
  const toText = (from: BoardCell, to: BoardCell) => {
    const { label: column = '' } = columns.find(({ key }) => key === to.key) ?? {}
    const lane = to.lane === from.lane ? undefined : lanes.find((each) => each.id === to.lane)?.label
    return lane === undefined ? column : text('board.column_and_lane', { column, lane })
  }
  const changesTo = (from: BoardCell, to: BoardCell): CardFieldChange[] => [
    ...(to.key === from.key ? [] : [listChange(fields.columns, to.key === undefined ? [] : [to.key])]),
    ...(to.lane === from.lane || !fields.lanes
      ? []
      : [listChange(fields.lanes, lanes.find((each) => each.id === to.lane)?.keys ?? [])]),
  ]
  const carry = (artifact: Artifact, to: BoardCell, beside: Beside | undefined) => {
    const { id, xref } = artifact
    const from = cellOf(artifact)
    const moved = isSameCell(from, to)
      ? undefined
      : move({ id, xref, to: toText(from, to), changes: changesTo(from, to) })
    if (beside)
      void rankRow(loader, { tracker: tracker.id, id, name: xref, to: beside, ...(moved && { after: moved }) })
  }
  const isMoved = ({ id, from, over: to, slot }: HeldCard) =>
    to !== undefined && (!isSameCell(from, to) || (isByHand && slot !== slotOf(layout, from, id)))

  return {
    held,
    subject,
    step,
    whyNot,
    cellOf,
    move,
    over,
    release,
    pickUp: (card: number, by: HeldCard['by']) => {
      const artifact = find(card)
      if (artifact) hold(card, by, cellOf(artifact), slotOf(layout, cellOf(artifact), card))
    },
    drop: (): void => {
      const was = release()
      const artifact = find(was?.id)
      if (!was?.over || !artifact || !isMoved(was)) return undefined
      const why = isSameCell(was.over, was.from) ? undefined : whyNot(was, was.over)
      if (why !== undefined) return showToast(text('board.refused', { name: artifact.xref, why }), { isTrouble: true })
      return carry(
        artifact,
        was.over,
        isByHand ? placeOfSlot(otherCards(layout, was.over, was.id), was.slot) : undefined,
      )
    },
    /** To the column of a dialog; other fields of a refused move are written too. */
    moveByDialog: (
      artifact: Artifact,
      key: ChoiceKey | undefined,
      comment: string,
      { move: refused }: MoveQuestion,
    ) => {
      const { id, xref } = artifact
      const from = cellOf(artifact)
      const to = { key, lane: from.lane }
      const others = refused?.changes.filter(({ field }) => field !== fields.columns) ?? []
      void move({ id, xref, to: toText(from, to), changes: [...changesTo(from, to), ...others], comment })
    },
    /** One step of a held card by keyboard; returns its new target. */
    steer: ({ id, from, over: target, slot }: HeldCard, way: Direction): BoardCell => {
      const at = target ?? from
      const across = way === 'left' ? -1 : way === 'right' ? 1 : 0
      const down = way === 'up' ? -1 : way === 'down' ? 1 : 0
      if (down !== 0 && isByHand && !fields.lanes) {
        over(at, nextSlot(otherCards(layout, at, id), slot, down))
        return at
      }
      const column = columns.findIndex((each) => each.key === at.key)
      const lane = lanes.findIndex((each) => each.id === at.lane)
      const key = (columns[column + across] ?? columns[column])?.key
      const to = { key, lane: (lanes[lane + down] ?? lanes[lane])?.id ?? from.lane }
      over(to, isSameCell(to, from) ? slotOf(layout, from, id) : otherCards(layout, to, id)[0]?.id)
      return to
    },
    /** Moves a card by one place, without picking it up. */
    shift: (card: number, way: Direction): void => {
      const artifact = find(card)
      if (!artifact) return undefined
      const cell = cellOf(artifact)
      const column = columns[columns.findIndex(({ key }) => key === cell.key) + (way === 'left' ? -1 : 1)]
      if (way === 'left' || way === 'right') return column && carry(artifact, { ...cell, key: column.key }, undefined)
      if (way !== 'up' && way !== 'down') return undefined
      if (!isByHand) return showToast(text('board.not_by_hand'))
      const cards = otherCards(layout, cell)
      const at = cards.findIndex(({ id }) => id === card)
      const other = cards[at + (way === 'up' ? -1 : 1)]
      return other && carry(artifact, cell, { side: way === 'up' ? 'before' : 'after', anchor: other.id })
    },
    /** The state of a card that is held by keyboard, for screen readers. */
    said: (): string => {
      if (held?.by !== 'keys' || !subject || !held.over) return ''
      const column = toText(held.from, held.over)
      if (!isMoved(held)) return text('board.held', { name: subject.xref, column })
      const next = isByHand ? find(held.slot) : undefined
      const to = next ? text('board.before', { to: column, name: next.xref }) : column
      const why = isSameCell(held.from, held.over) ? undefined : whyNot(held, held.over)
      return [text('board.over', { to }), why ?? step(held.over.key).note ?? text('board.may')].join(' ')
    },
  }
}

function listChange(field: TrackerField, keys: readonly ChoiceKey[]): CardFieldChange {
  return { field, draft: { field_id: field.field_id, bind_value_ids: keys } }
}
