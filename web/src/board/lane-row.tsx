import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { text } from './messages.ts'
import styles from './board.module.css'
import { Cell } from './cell.tsx'
import type { Lane, ShownColumn } from './board-layout.ts'
import type { HeldCard } from './use-held.ts'

interface Props {
  lane: Lane
  index: number
  columns: readonly ShownColumn[]
  fields: readonly TrackerField[]
  hasHead: boolean
  /** The id prefix of the column headers, which label the cells. */
  headIds: string
  active: number | undefined
  /** The card that the panel beside the board shows. */
  peeked: number | undefined
  held: HeldCard | undefined
  mayMove: boolean
  isByHand: boolean
  isForbidden: (key: ChoiceKey | undefined) => boolean
}

export function LaneRow(props: Props) {
  const { lane, index, columns, fields, hasHead, headIds, active, held, mayMove, isByHand, isForbidden } = props
  const [isShut, setShut] = useState(false)
  const laneId = `${headIds}-lane-${index}`
  return (
    <section className={styles['lane']} aria-labelledby={hasHead ? laneId : undefined}>
      {hasHead && (
        <h3 className={styles['laneHead']} id={laneId}>
          <button type="button" aria-expanded={!isShut} onClick={() => setShut(!isShut)}>
            <span aria-hidden>{isShut ? '▸' : '▾'}</span>
            {lane.label}
            <span className={styles['count']}>{text('board.cards', { count: lane.count })}</span>
          </button>
        </h3>
      )}
      {!isShut && (
        <div className={styles['cells']}>
          {columns.map((column, at) => (
            <Cell
              key={String(column.key)}
              at={{ column: at, lane: index }}
              column={column}
              isFirstLane={index === 0}
              cards={lane.cells[at] ?? []}
              fields={fields}
              labelledBy={hasHead ? `${headIds}-${at} ${laneId}` : `${headIds}-${at}`}
              helpId={`${headIds}-help`}
              state={stateOf(column.key)}
              slot={isByHand && isOver(column.key) ? { next: held?.slot } : undefined}
              active={active}
              peeked={props.peeked}
              hasTabStop={!hasHead}
              held={held?.id}
              mayMove={mayMove}
            />
          ))}
        </div>
      )}
    </section>
  )

  function isOver(key: ChoiceKey | undefined): boolean {
    return held?.over?.key === key && held?.over?.lane === lane.id
  }

  function stateOf(key: ChoiceKey | undefined): string | undefined {
    if (!held) return undefined
    if (isForbidden(key)) return 'forbidden'
    return isOver(key) ? 'over' : 'free'
  }
}
