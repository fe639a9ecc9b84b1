import { toHue } from '../design/hue.ts'
import { StatusGlyph } from '../design/pill.tsx'
import { Swatch } from '../design/swatch.tsx'
import { useStatusProgress } from '../field-types/status.tsx'
import { text } from './messages.ts'
import styles from './board.module.css'
import type { BoardColumn } from './board-layout.ts'
import type { StepCheck } from '../artifacts/try-steps.ts'
import { locale } from '../messages/language.ts'

interface Props {
  id: string
  index: number
  /** The field of the columns. */
  field: number
  column: BoardColumn
  /** The number of all cards, if not all are shown. */
  total: number | undefined
  /** The check for the held card; undefined if no card is held or it comes from this column. */
  step: StepCheck | undefined
  isOver: boolean
}

export function ColumnHead({ id, index, field, column: { key, label, color, count }, total, step, isOver }: Props) {
  const progressOf = useStatusProgress(field)
  const progress = key === undefined ? undefined : progressOf?.(key)
  const number = (given: number) => new Intl.NumberFormat(locale).format(given)
  const many = text('board.cards', { count: total ?? count })
  return (
    <div
      className={styles['head']}
      data-head={index}
      data-state={step?.whyNot === undefined ? (isOver ? 'over' : undefined) : 'forbidden'}
    >
      <h2 id={id}>
        {progress === undefined ? (
          <Swatch color={color} />
        ) : (
          <span data-hue={toHue(color)}>
            <StatusGlyph progress={progress} />
          </span>
        )}
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
