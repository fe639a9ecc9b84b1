import { type KeyboardEvent, type MouseEvent, useId, useImperativeHandle, useRef, useState } from 'react'
import { isPickerKey, type PickerKey } from '../artifacts/key-fields.ts'
import { Hidden } from '../design/page.tsx'
import { lazyPart } from '../design/lazy-part.tsx'
import { usePointerDrag } from '../shell/use-pointer-drag.ts'
import { useSequenceGuard } from '../shell/use-shortcuts.ts'
import { text } from './messages.ts'
import { BoardColumns } from './board-columns.tsx'
import styles from './board.module.css'
import type { Layout } from './board-layout.ts'
import type { BoardProps } from './board-props.ts'
import { otherCards, slotAt } from './board-slots.ts'
import {
  cardOf,
  focusCard,
  isLink,
  isMoveButton,
  revealCard,
  revealColumn,
  useCardFocusRestoration,
} from './card-focus.ts'
import { type MoveQuestion, MoveDialog } from './move-dialog.tsx'
import type { BoardCell, HeldCard } from './use-held.ts'
import { useCarrying } from './use-carrying.ts'
import {
  adjacentCard,
  type Direction,
  findCardPosition,
  firstCard,
  neighbourCard,
  withoutColumns,
} from './keyboard-navigation.ts'

/** Loaded on demand. */
const CardPicker = lazyPart(async () => (await import('./card-picker.tsx')).CardPicker, {
  close: ({ onClose }) => onClose(),
})

const DIRECTION_KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  k: 'up',
  j: 'down',
  Home: 'first',
  End: 'last',
}

/** Cards in columns and lanes. They are moved by mouse, by touch, by keyboard, or by a dialog. */
export function Board(props: BoardProps) {
  const { tracker, fields, layout, loader, collapsed, mayMove, isByHand, peek, ref } = props
  const { columns } = layout
  const scroller = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const id = useId()
  const [chosen, setActive] = useState<number>()
  const [picking, setPicking] = useState<{ card: number; key: PickerKey }>()
  const [asked, setAsked] = useState<MoveQuestion>()
  const focused = useCardFocusRestoration(scroller)
  const isInSequence = useSequenceGuard()
  const carrying = useCarrying({
    tracker,
    fields,
    layout,
    loader,
    isByHand,
    asked: asked?.id,
    onWantsComment: (refused, why) => setAsked({ id: refused.id, move: refused, why }),
  })
  const { held, subject, pickUp, drop, release } = carrying
  const visible = withoutColumns(layout, collapsed.isCollapsed)
  const active = chosen !== undefined && findCardPosition(visible, chosen) ? chosen : firstCard(visible)
  const togglePeek = (card: number) => (card === peek.id ? peek.close() : peek.show(card))
  useImperativeHandle(ref, () => ({
    step(by) {
      const next = peek.id === undefined ? undefined : neighbourCard(visible, peek.id, by)
      if (next === undefined) return
      setActive(next)
      peek.show(next)
      revealCard(scroller.current, next)
    },
    focus: () => focusCard(scroller.current, active),
  }))
  const startDrag = usePointerDrag({
    attribute: 'data-card',
    except: 'data-move',
    scroller,
    ghost,
    onHold: (card) => {
      pickUp(card, 'pointer')
      setActive(card)
    },
    onOver: (element, { y }) => {
      const to = cellAt(element, layout, held?.from.lane)
      const list = element?.closest('[data-cell]')
      // Over a column header, a card comes first.
      const slot = list ? slotAt(list, y, held?.id) : to && otherCards(layout, to, held?.id)[0]?.id
      carrying.over(to, slot)
    },
    onDrop: drop,
    onCancel: () => void release(),
  })

  const steer = (event: KeyboardEvent, card: HeldCard) => {
    if (event.key === 'Tab') return void release()
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter' || event.key === ' ') return drop()
    if (event.key === 'Escape') return void release()
    const way = directionOf(event.key)
    if (way === undefined) return
    const to = carrying.steer(card, way)
    return revealColumn(
      scroller.current,
      columns.findIndex(({ key }) => key === to.key),
    )
  }
  const press = (event: KeyboardEvent) => {
    const card = cardOf(event.target)
    if (card === undefined || isMoveButton(event.target)) return
    if (held) return steer(event, held)
    if (event.ctrlKey || event.metaKey || event.altKey || isInSequence(event)) return
    const way = directionOf(event.key)
    if (way && event.shiftKey && mayMove) carrying.shift(card, way)
    else if (way) focusCard(scroller.current, adjacentCard(visible, card, way))
    else if (event.key === ' ') togglePeek(card)
    else if (event.key === 'h' && mayMove) pickUp(card, 'keys')
    else if (event.key === 'm' && mayMove) setAsked({ id: card })
    else if (isPickerKey(event.key) && mayMove) setPicking({ card, key: event.key })
    else return
    event.preventDefault()
    if (!way) event.stopPropagation()
  }
  const click = ({ target }: MouseEvent) => {
    const card = cardOf(target)
    if (card === undefined) return
    if (isMoveButton(target)) setAsked({ id: card })
    else if (!isLink(target)) peek.show(card)
  }
  return (
    <>
      <div
        ref={scroller}
        className={styles['board']}
        data-holding={held !== undefined}
        data-lanes={fields.lanes !== undefined}
        onKeyDown={press}
        onPointerDown={mayMove ? startDrag : undefined}
        onClick={click}
        onFocus={({ target }) => {
          const card = cardOf(target)
          focused.current = isMoveButton(target) ? undefined : card
          if (card === undefined) return
          setActive(card)
          // A closing dialog gives the focus back to the card that had it.
          if (peek.id !== undefined && card !== active) peek.show(card)
        }}
        onBlur={() => {
          focused.current = undefined
        }}
      >
        <BoardColumns {...props} id={id} active={active} held={held} step={carrying.step} whyNot={carrying.whyNot} />
      </div>
      {mayMove && (
        <p id={`${id}-help`} hidden>
          {text('board.help')}
        </p>
      )}
      <Hidden>
        <span role="status">{carrying.said()}</span>
      </Hidden>
      {held?.by === 'pointer' && subject && (
        <div ref={ghost} className={styles['ghost']} aria-hidden>
          {subject.title || subject.xref}
        </div>
      )}
      {picking && (
        <CardPicker
          key={picking.card}
          card={picking.card}
          pickerKey={picking.key}
          board={scroller}
          onPick={(xref, field, draft) => {
            focused.current = picking.card
            const saved = text('board.saved', { name: xref, field: field.label })
            void carrying.move({ id: picking.card, xref, to: '', changes: [{ field, draft }], saved })
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
          from={carrying.cellOf(subject).key}
          step={carrying.step}
          onMove={(key, comment) => {
            setAsked(undefined)
            focused.current = subject.id
            carrying.moveByDialog(subject, key, comment, asked)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

function directionOf(key: string): Direction | undefined {
  return Object.hasOwn(DIRECTION_KEYS, key) ? DIRECTION_KEYS[key] : undefined
}

/** Over a column header, a card stays in its lane. */
function cellAt(element: Element | null, { columns, lanes }: Layout, own: string | undefined): BoardCell | undefined {
  const cell = element?.closest('[data-cell]')
  const head = element?.closest('[data-head]')
  const column = columns[Number((cell ?? head)?.getAttribute(cell ? 'data-cell' : 'data-head') ?? Number.NaN)]
  const lane = cell ? lanes[Number(cell.getAttribute('data-lane'))]?.id : own
  return column && lane !== undefined ? { key: column.key, lane } : undefined
}
