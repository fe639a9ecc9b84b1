import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { text } from './messages.ts'
import styles from './board.module.css'
import { Card } from './card.tsx'
import type { BoardColumn, Lane } from './board-layout.ts'
import type { HeldCard } from './use-held.ts'

interface Props {
  lane: Lane
  index: number
  columns: readonly BoardColumn[]
  fields: readonly TrackerField[]
  hasHead: boolean
  /** The id prefix of the column headers, which label the cells. */
  headIds: string
  active: number | undefined
  held: HeldCard | undefined
  mayMove: boolean
  isForbidden: (key: ChoiceKey | undefined) => boolean
}

export function LaneRow(props: Props) {
  const { lane, index, columns, fields, hasHead, headIds, active, held, mayMove, isForbidden } = props
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
          {columns.map(({ key }, column) => (
            <ul
              key={String(key)}
              className={styles['cell']}
              data-cell={column}
              data-lane={index}
              data-state={stateOf(key)}
              aria-labelledby={hasHead ? `${headIds}-${column} ${laneId}` : `${headIds}-${column}`}
            >
              {(lane.cells[column] ?? []).map((artifact) => (
                <Card
                  key={artifact.id}
                  artifact={artifact}
                  fields={fields}
                  isActive={artifact.id === active}
                  isHeld={artifact.id === held?.id}
                  mayMove={mayMove}
                  helpId={`${headIds}-help`}
                />
              ))}
            </ul>
          ))}
        </div>
      )}
    </section>
  )

  function stateOf(key: ChoiceKey | undefined): string | undefined {
    if (!held) return undefined
    if (isForbidden(key)) return 'forbidden'
    return held.over?.key === key && held.over?.lane === lane.id ? 'over' : 'free'
  }
}
