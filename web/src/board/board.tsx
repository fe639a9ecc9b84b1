import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { isPickerKey, type PickerKey } from '../artifacts/key-fields.ts'
import { Hidden } from '../design/page.tsx'
import { lazyPart } from '../shell/lazy-part.tsx'
import { showToast } from '../shell/toasts.ts'
import { useSequenceGuard } from '../shell/use-shortcuts.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import { text } from './messages.ts'
import styles from './board.module.css'
import type { BoardFields } from './board-fields.ts'
import { ColumnHead } from './column-head.tsx'
import { LaneRow } from './lane-row.tsx'
import { columnKey, laneIdOf, type Layout } from './board-layout.ts'
import { type MoveQuestion, MoveDialog } from './move-dialog.tsx'
import { isSameCell, type BoardCell, useHeldCard } from './use-held.ts'
import { type CardFieldChange, useMoves } from './use-moves.ts'
import { usePointerDrag } from './use-pointer-drag.ts'
import { useSteps } from './use-steps.ts'
import { adjacentCard, firstCard, type Direction } from './keyboard-navigation.ts'

/** Loaded on demand. */
const CardPicker = lazyPart(async () => (await import('./card-picker.tsx')).CardPicker, {
  close: ({ onClose }) => onClose(),
})

interface Props {
  tracker: Tracker
  fields: BoardFields
  layout: Layout
  loader: RowLoader
  /** Totals by column, where not all cards are shown. */
  totals: readonly (number | undefined)[]
  mayMove: boolean
}

const DIRECTION_KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
  End: 'last',
}

/** Cards in columns and lanes. They are moved by mouse, by keyboard, or by a dialog. */
export function Board({ tracker, fields, layout, loader, totals, mayMove }: Props) {
  const { columns, lanes } = layout
  const scroller = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const id = useId()
  const [chosen, setActive] = useState<number>()
  const [picking, setPicking] = useState<{ card: number; key: PickerKey }>()
  const [asked, setAsked] = useState<MoveQuestion>()
  const { held, hold, over, release } = useHeldCard()
  const focused = useCardFocusRestoration(scroller)
  const isInSequence = useSequenceGuard()
  const move = useMoves(loader, (refused, why) => setAsked({ id: refused.id, move: refused, why }))
  const find = (card: number | undefined) => (card === undefined ? undefined : loader.store.find(card))
  const subject = find(held?.id ?? asked?.id)
  const { step, whyNotLane } = useSteps(tracker, fields, columns, subject)
  const active = chosen !== undefined && find(chosen) ? chosen : firstCard(layout)

  const placeOf = (artifact: Artifact): BoardCell => ({
    key: columnKey(artifact, fields.columns),
    lane: laneIdOf(artifact, fields.lanes),
  })
  const pickUp = (card: number, by: 'pointer' | 'keys') => {
    const artifact = find(card)
    if (artifact) hold(card, by, placeOf(artifact))
    setActive(card)
  }
  const whyNot = ({ from }: { from: BoardCell }, to: BoardCell) =>
    step(to.key).whyNot ?? (to.lane === from.lane ? undefined : whyNotLane)
  const toText = (from: BoardCell, to: BoardCell) => {
    const { label: column = '' } = columns.find(({ key }) => key === to.key) ?? {}
    const lane = to.lane === from.lane ? undefined : lanes.find((each) => each.id === to.lane)?.label
    return lane === undefined ? column : text('board.column_and_lane', { column, lane })
  }
  const drop = () => {
    const was = release()
    const artifact = find(was?.id)
    if (!was?.over || !artifact || isSameCell(was.over, was.from)) return
    const why = whyNot(was, was.over)
    if (why !== undefined) return showToast(text('board.refused', { name: artifact.xref, why }), { isTrouble: true })
    const { from, over: to } = was
    void move({ id: was.id, xref: artifact.xref, to: toText(from, to), changes: changesTo(from, to) })
  }
  const changesTo = (from: BoardCell, to: BoardCell): CardFieldChange[] => [
    ...(to.key === from.key ? [] : [listChange(fields.columns, to.key === undefined ? [] : [to.key])]),
    ...(to.lane === from.lane || !fields.lanes
      ? []
      : [listChange(fields.lanes, lanes.find((each) => each.id === to.lane)?.keys ?? [])]),
  ]
  const startDrag = usePointerDrag({
    scroller,
    ghost,
    onHold: (card) => pickUp(card, 'pointer'),
    onOver: (element) => over(cellAt(element, layout, held?.from.lane)),
    onDrop: drop,
    onCancel: () => void release(),
  })

  const steer = (event: KeyboardEvent, from: BoardCell, at: BoardCell) => {
    const { key } = event
    if (key === 'Tab') return void release()
    const column = columns.findIndex((each) => each.key === at.key)
    const lane = lanes.findIndex((each) => each.id === at.lane)
    const across = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
    const down = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Enter' || key === ' ') return drop()
    if (key === 'Escape') return void release()
    const next = {
      key: (columns[column + across] ?? columns[column])?.key,
      lane: (lanes[lane + down] ?? lanes[lane])?.id,
    }
    over({ key: next.key, lane: next.lane ?? from.lane })
    reveal(
      scroller.current,
      columns.findIndex((each) => each.key === next.key),
    )
  }
  const press = (event: KeyboardEvent) => {
    const card = cardOf(event.target)
    if (card === undefined || isButton(event.target)) return
    if (held) return steer(event, held.from, held.over ?? held.from)
    if (event.ctrlKey || event.metaKey || event.altKey || isInSequence(event)) return
    const way = Object.hasOwn(DIRECTION_KEYS, event.key) ? DIRECTION_KEYS[event.key] : undefined
    if (way) {
      event.preventDefault()
      focusCard(scroller.current, adjacentCard(layout, card, way))
    } else if (mayMove && event.key === ' ') {
      event.preventDefault()
      pickUp(card, 'keys')
    } else if (mayMove && event.key === 'm') setAsked({ id: card })
    else if (mayMove && isPickerKey(event.key)) {
      event.preventDefault()
      event.stopPropagation()
      setPicking({ card, key: event.key })
    }
  }
  const click = ({ target }: MouseEvent) => {
    const card = cardOf(target)
    if (card !== undefined && isButton(target)) setAsked({ id: card })
  }
  const heldCard = find(held?.id)
  return (
    <>
      <div
        ref={scroller}
        className={styles['board']}
        data-holding={held !== undefined}
        style={{ '--columns': columns.length }}
        onKeyDown={press}
        onPointerDown={mayMove ? startDrag : undefined}
        onClick={click}
        onFocus={({ target }) => {
          const card = cardOf(target)
          focused.current = isButton(target) ? undefined : card
          if (card !== undefined) setActive(card)
        }}
        onBlur={() => {
          focused.current = undefined
        }}
      >
        <div className={styles['heads']}>
          {columns.map((column, index) => (
            <ColumnHead
              key={String(column.key)}
              id={`${id}-${index}`}
              index={index}
              field={fields.columns.field_id}
              column={column}
              total={totals[index]}
              step={held && column.key !== held.from.key ? step(column.key) : undefined}
              isOver={held?.over !== undefined && held.over.key === column.key}
            />
          ))}
        </div>
        {lanes.map((lane, index) => (
          <LaneRow
            key={lane.id}
            lane={lane}
            index={index}
            columns={columns}
            fields={fields.cards}
            hasHead={fields.lanes !== undefined}
            headIds={id}
            active={active}
            held={held}
            mayMove={mayMove}
            isForbidden={(key) => held !== undefined && whyNot(held, { key, lane: lane.id }) !== undefined}
          />
        ))}
      </div>
      {mayMove && (
        <p id={`${id}-help`} hidden>
          {text('board.help')}
        </p>
      )}
      <Hidden>
        <span role="status">{held?.by === 'keys' && heldCard && said(heldCard.xref)}</span>
      </Hidden>
      {held?.by === 'pointer' && heldCard && (
        <div ref={ghost} className={styles['ghost']} aria-hidden>
          {heldCard.title || heldCard.xref}
        </div>
      )}
      {picking && (
        <CardPicker
          key={picking.card}
          card={picking.card}
          pickerKey={picking.key}
          tracker={tracker}
          board={scroller}
          onPick={(xref, field, draft) => {
            focused.current = picking.card
            const saved = text('board.saved', { name: xref, field: field.label })
            void move({ id: picking.card, xref, to: '', changes: [{ field, draft }], saved })
          }}
          onClose={() => setPicking(undefined)}
        />
      )}
      {asked && subject && (
        <MoveDialog
          key={asked.id}
          artifact={subject}
          asked={asked}
          columns={columns}
          from={columnKey(subject, fields.columns)}
          step={step}
          onMove={(key, comment) => {
            const from = placeOf(subject)
            const to = { key, lane: from.lane }
            const changes = asked.move?.changes.filter(({ field }) => field !== fields.columns) ?? []
            setAsked(undefined)
            focused.current = subject.id
            void move({
              id: subject.id,
              xref: subject.xref,
              to: toText(from, to),
              changes: [...changesTo(from, to), ...changes],
              comment,
            })
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )

  function said(name: string): string {
    if (!held?.over) return ''
    const to = toText(held.from, held.over)
    if (isSameCell(held.over, held.from)) return text('board.held', { name, column: to })
    const { note } = step(held.over.key)
    return [text('board.over', { to }), whyNot(held, held.over) ?? note ?? text('board.may')].join(' ')
  }
}

/** Keeps the focus on a card that is rendered in another cell. */
function useCardFocusRestoration(scroller: { current: HTMLDivElement | null }) {
  const focused = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (focused.current !== undefined && document.activeElement === document.body)
      focusCard(scroller.current, focused.current)
  })
  return focused
}

function listChange(field: TrackerField, keys: readonly ChoiceKey[]): CardFieldChange {
  return { field, draft: { field_id: field.field_id, bind_value_ids: keys } }
}

function focusCard(board: HTMLElement | null, card: number | undefined): void {
  if (card === undefined) return
  const link = board?.querySelector<HTMLElement>(`[data-card="${card}"] a`)
  link?.focus()
  link?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function reveal(board: HTMLElement | null, column: number): void {
  board?.querySelector(`[data-head="${column}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function cardOf(target: EventTarget): number | undefined {
  const card = target instanceof Element ? target.closest('[data-card]') : null
  return card ? Number(card.getAttribute('data-card')) : undefined
}

function isButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-move]') !== null
}

/** Over a column header, a card stays in its lane. */
function cellAt(element: Element | null, { columns, lanes }: Layout, own: string | undefined): BoardCell | undefined {
  const cell = element?.closest('[data-cell]')
  const head = element?.closest('[data-head]')
  const column = columns[Number((cell ?? head)?.getAttribute(cell ? 'data-cell' : 'data-head') ?? Number.NaN)]
  const lane = cell ? lanes[Number(cell.getAttribute('data-lane'))]?.id : own
  return column && lane !== undefined ? { key: column.key, lane } : undefined
}
