import type { TrackerField } from '@waypost/sdk/api'
import { CircleSlash, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { fieldValue, type WithValues } from '../../artifacts/artifact-queries.ts'
import { Icon } from '../../design/icon.tsx'
import { Hidden } from '../../design/page.tsx'
import { isEmptyValue } from '../../field-types/field-types.ts'
import { ShowValue } from '../../field-types/field-views.tsx'
import { text } from './messages.ts'
import styles from './past-cell.module.css'

interface PairProps {
  readonly field: TrackerField
  /** The state of today; undefined: the value is the same. */
  readonly now: WithValues | undefined
  /** There was no value then. */
  readonly isEmpty: boolean
  /** The value then. */
  readonly children: ReactNode
}

/** A value of the past and, if it is different today, the present one: beside it, or in a narrow cell on hover and focus. */
export function PastPair({ field, now, isEmpty, children }: PairProps) {
  if (!now) return children
  const value = fieldValue(now, field.field_id)
  return (
    <span className={styles['pair']}>
      {isEmpty ? <NoValue /> : children}
      <span className={styles['now']}>
        {text('past.now')} {isEmptyValue(value) ? <NoValue /> : <ShowValue value={value} field={field} isShort />}
      </span>
    </span>
  )
}

function NoValue() {
  return (
    <span>
      <span aria-hidden>–</span>
      <Hidden>{text('past.empty')}</Hidden>
    </span>
  )
}

/** Marks a row that the table of today does not have. */
export function PastMark({ mark }: { readonly mark: 'gone' | 'no_match' }) {
  const label = text(`past.mark.${mark}`)
  return (
    <span className={styles['mark']} title={label}>
      <Icon of={mark === 'gone' ? Trash2 : CircleSlash} />
      <Hidden>{label}</Hidden>
    </span>
  )
}
