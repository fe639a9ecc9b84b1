import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { ChevronsLeftRight, ChevronsRightLeft, Gauge } from 'lucide-react'
import { useState } from 'react'
import type { StepCheck } from '../artifacts/try-steps.ts'
import { toHue } from '../design/hue.ts'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { StatusGlyph } from '../design/pill.tsx'
import { Swatch } from '../design/swatch.tsx'
import { useStatusProgress } from '../field-types/status.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { lazyPart } from '../design/lazy-part.tsx'
import { text } from './messages.ts'
import styles from './column-head.module.css'
import type { BoardColumn } from './board-layout.ts'

const LimitDialog = lazyPart(async () => (await import('./limit-dialog.tsx')).LimitDialog, {
  close: ({ onClose }) => onClose(),
})

interface Props {
  id: string
  index: number
  tracker: Tracker
  /** The field of the columns. */
  field: TrackerField
  column: BoardColumn
  /** The number of all cards, if not all are shown. */
  total: number | undefined
  limit: number | undefined
  isCollapsed: boolean
  onCollapse: (isCollapsed: boolean) => void
  /** The check for the held card; undefined if no card is held or it comes from this column. */
  step: StepCheck | undefined
  isOver: boolean
}

export function ColumnHead(props: Props) {
  const { id, index, tracker, field, column, total, limit, isCollapsed, onCollapse, step, isOver } = props
  const { key, label, color, count } = column
  const progressOf = useStatusProgress(field.field_id)
  const progress = key === undefined ? undefined : progressOf?.(key)
  const [isLimiting, setLimiting] = useState(false)
  // Only administrators of the tracker are told its permissions.
  const mayLimit = tracker.permissions_for_groups !== null && field.bindings.type === 'static'
  return (
    <div
      className={styles['head']}
      data-head={index}
      data-collapsed={isCollapsed}
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
        {isCollapsed ? <Hidden>{label}</Hidden> : <span className={styles['label']}>{label}</span>}
        <Count count={count} total={total} limit={limit} />
      </h2>
      <span className={styles['actions']}>
        {mayLimit && typeof key === 'number' && !isCollapsed && (
          <button
            type="button"
            aria-label={text('board.limit_of', { column: label })}
            title={text('board.limit_of', { column: label })}
            onClick={() => setLimiting(true)}
          >
            <Icon of={Gauge} />
          </button>
        )}
        <button
          type="button"
          aria-expanded={!isCollapsed}
          aria-label={text(isCollapsed ? 'board.expand' : 'board.collapse', { column: label })}
          title={text(isCollapsed ? 'board.expand' : 'board.collapse', { column: label })}
          onClick={() => onCollapse(!isCollapsed)}
        >
          <Icon of={isCollapsed ? ChevronsLeftRight : ChevronsRightLeft} />
        </button>
      </span>
      {step && (step.whyNot ?? step.note) !== undefined && <p className={styles['why']}>{step.whyNot ?? step.note}</p>}
      {isLimiting && typeof key === 'number' && (
        <LimitDialog
          tracker={tracker.id}
          field={field.field_id}
          column={{ key, label }}
          limit={limit}
          onClose={() => setLimiting(false)}
        />
      )}
    </div>
  )
}

function Count({ count, total, limit }: Pick<Props, 'total' | 'limit'> & { count: number }) {
  const all = total ?? count
  const shown =
    all > count ? text('board.some_of', { count: formatNumber(count), total: formatNumber(all) }) : formatNumber(count)
  return (
    <span
      className={styles['count']}
      data-over={limit !== undefined && all > limit}
      title={text('board.cards', { count: all })}
    >
      {limit === undefined ? shown : text('board.count_and_limit', { count: shown, limit: formatNumber(limit) })}
    </span>
  )
}
