import type { TrackerField } from '@waypost/sdk/api'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { toHue } from '../../design/hue.ts'
import { Icon } from '../../design/icon.tsx'
import { Avatar } from '../../design/marks.tsx'
import { StatusPill, ValuePill } from '../../design/pill.tsx'
import { fieldType } from '../../field-types/field-types.ts'
import { useStatusProgress } from '../../field-types/status.tsx'
import { offeredItems } from '../../field-types/values.ts'
import { formatNumber } from '../../messages/format-number.ts'
import { text } from '../messages.ts'
import styles from '../grid.module.css'
import { type GroupChoice, isParentKey, rowGroupLabel } from './group-choice.ts'
import type { RowGroup, RowGrouping } from './row-group.ts'

interface GroupProps {
  group: RowGroup
  grouping: RowGrouping
  onToggle: () => void
}

interface Props extends GroupProps {
  row: number
  top: number
  columns: number
  isActive: boolean
  gridId: string
}

/** The header of a group: its value, the number of its rows, and sums. */
export function GroupRow({ row, top, columns, isActive, gridId, onToggle, ...shown }: Props) {
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={`${styles['row']} ${styles['group']}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        role="gridcell"
        id={`${gridId}-${row}-0`}
        aria-colindex={1}
        aria-colspan={columns}
        data-active={isActive || undefined}
        className={styles['cell']}
        onClick={onToggle}
      >
        <GroupSummary {...shown} />
      </div>
    </div>
  )
}

/** A copy of the header that stays in view while its rows scroll. */
export function PinnedGroup({ onToggle, ...shown }: GroupProps) {
  return (
    <div aria-hidden className={styles['pinned']}>
      <div className={`${styles['row']} ${styles['group']}`}>
        <div className={styles['cell']} onClick={onToggle}>
          <GroupSummary {...shown} />
        </div>
      </div>
    </div>
  )
}

function GroupSummary({ group, grouping: { choice, sums } }: Omit<GroupProps, 'onToggle'>) {
  const { isCollapsed, count, sum } = group
  return (
    <>
      <button type="button" tabIndex={-1} aria-expanded={!isCollapsed}>
        <Icon of={isCollapsed ? ChevronRight : ChevronDown} size={14} />
        <GroupValue group={group} choice={choice} />
      </button>
      <span className={styles['groupCount']}>{text('table.rows', { count })}</span>
      {sums.map((field) => (
        <span key={field.field_id} className={styles['groupSum']}>
          {field.label} <b>{sumText(field, sum[field.name] ?? 0)}</b>
        </span>
      ))}
    </>
  )
}

function GroupValue({ group: { key }, choice }: { group: RowGroup; choice: GroupChoice }) {
  const { field } = choice
  const progressOf = useStatusProgress(field?.field_id)
  const label = rowGroupLabel(choice, key)
  if (isParentKey(key))
    return (
      <>
        <span className={styles['reference']}>{key.xref}</span>
        <strong dir="auto">{label}</strong>
      </>
    )
  if (key === null || typeof key !== 'object' || !field) return <strong>{label}</strong>
  if ('username' in key)
    return (
      <>
        <Avatar person={{ id: key.id, name: label }} size={20} />
        <strong>{label}</strong>
      </>
    )
  const { id } = key
  const hue = toHue(offeredItems(field).find((item) => item.id === id)?.value_color)
  const progress = typeof id === 'number' ? progressOf?.(id) : undefined
  if (progress === undefined) return <ValuePill hue={hue}>{label}</ValuePill>
  return (
    <StatusPill hue={hue} progress={progress}>
      {label}
    </StatusPill>
  )
}

function sumText(field: TrackerField, sum: number): string {
  return fieldType(field).sumScale?.show(sum) ?? formatNumber(sum)
}
