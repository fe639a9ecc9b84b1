import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { X } from 'lucide-react'
import { findKeyField, PICKER_KEYS } from '../artifacts/key-fields.ts'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { mayUpdate } from '../field-types/drafts.ts'
import { fieldType } from '../field-types/field-types.ts'
import styles from './bulk-bar.module.css'
import { text } from './messages.ts'

interface Props {
  readonly tracker: Tracker
  readonly count: number
  /** The field that is asked for; undefined: any. */
  readonly onEdit: (field: TrackerField | undefined) => void
  readonly onClear: () => void
}

/** The actions for the selected rows, at the bottom of the table. */
export function BulkBar({ tracker, count, onEdit, onClear }: Props) {
  const fields = PICKER_KEYS.flatMap((key) => findKeyField(tracker, key) ?? []).filter(
    (field) => mayUpdate(field) && fieldType(field).editing?.isNeverBulk !== true,
  )
  return (
    <div role="toolbar" aria-label={text('bulk.bar')} className={styles['bar']}>
      <span role="status">{text('bulk.chosen', { count })}</span>
      {fields.map((field) => (
        <Button key={field.field_id} kind="quiet" onPress={() => onEdit(field)}>
          {field.label}
        </Button>
      ))}
      <Button kind="quiet" onPress={() => onEdit(undefined)}>
        {text('bulk.edit')}
      </Button>
      <Button kind="icon" aria-label={text('bulk.clear')} onPress={onClear}>
        <Icon of={X} />
      </Button>
    </div>
  )
}
