import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { Icon } from '../design/icon.tsx'
import { text } from './messages.ts'
import { Card } from './card.tsx'
import styles from './cell.module.css'
import type { ShownColumn } from './board-layout.ts'

interface Props {
  at: { readonly column: number; readonly lane: number }
  column: ShownColumn
  isFirstLane: boolean
  cards: readonly Artifact[]
  fields: readonly TrackerField[]
  labelledBy: string
  /** The id of the description of the keys. */
  helpId: string
  /** Whether the held card can be put here. */
  state: string | undefined
  /** The place where the held card would be put; undefined: not in this cell. */
  slot: { readonly next: number | undefined } | undefined
  active: number | undefined
  /** The card that the panel beside the board shows. */
  peeked: number | undefined
  /** Tab stops in this cell, so that keys can scroll it. */
  hasTabStop: boolean
  held: number | undefined
  mayMove: boolean
}

/** The cards of one column and one lane. */
export function Cell(props: Props) {
  const { at, column, isFirstLane, cards, fields, labelledBy, helpId, state, slot, active, held, mayMove } = props
  const { isCollapsed, excess, label, count } = column
  const isActiveHere = cards.some(({ id }) => id === active)
  const stop = isActiveHere || !props.hasTabStop ? active : cards[0]?.id
  const place = <li className={styles['slot']} aria-hidden />
  return (
    <ul
      className={styles['cell']}
      data-cell={at.column}
      data-lane={at.lane}
      data-state={state}
      data-collapsed={isCollapsed}
      aria-labelledby={labelledBy}
    >
      {isCollapsed && isFirstLane && (
        <li className={styles['side']} aria-hidden>
          {label} <span>{count}</span>
        </li>
      )}
      {!isCollapsed && isFirstLane && excess > 0 && (
        <li className={styles['excess']}>
          <Icon of={TriangleAlert} size={14} />
          {text('board.over_limit', { count: excess })}
        </li>
      )}
      {!isCollapsed &&
        cards.map((artifact) => (
          <Fragment key={artifact.id}>
            {slot?.next === artifact.id && place}
            <Card
              artifact={artifact}
              fields={fields}
              isActive={artifact.id === stop}
              isPeeked={artifact.id === props.peeked}
              isHeld={artifact.id === held}
              mayMove={mayMove}
              helpId={helpId}
            />
          </Fragment>
        ))}
      {slot && slot.next === undefined && !isCollapsed && place}
    </ul>
  )
}
