import { Swatch } from '../design/swatch.tsx'
import { counted, text } from './words.ts'
import styles from './board.module.css'
import type { Column } from './lay-out.ts'
import type { Step } from './use-steps.ts'

interface Props {
  id: string
  index: number
  column: Column
  /** How many there are, where not all are shown. */
  total: number | undefined
  /** For the card that is held; undefined: none is, or it comes from here. */
  step: Step | undefined
  isOver: boolean
}

export function ColumnHead({ id, index, column: { label, color, count }, total, step, isOver }: Props) {
  const number = (given: number) => new Intl.NumberFormat().format(given)
  const many = counted('board.cards_one', 'board.cards', total ?? count)
  return (
    <div
      className={styles['head']}
      data-head={index}
      data-state={step?.whyNot === undefined ? (isOver ? 'over' : undefined) : 'forbidden'}
    >
      <h2 id={id}>
        <Swatch color={color} />
        <span className={styles['label']}>{label}</span>
        <span className={styles['count']} title={many}>
          {total !== undefined && total > count
            ? text('board.some_of', { count: number(count), total: number(total) })
            : number(count)}
        </span>
      </h2>
      {step && (step.whyNot ?? step.note) !== undefined && <p className={styles['why']}>{step.whyNot ?? step.note}</p>}
    </div>
  )
}
