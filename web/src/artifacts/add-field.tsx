import type { TrackerField } from '@waypost/sdk/api'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import styles from './add-field.module.css'
import { text } from './messages.ts'

interface Props {
  readonly fields: readonly TrackerField[]
  readonly onAdd: (field: TrackerField) => void
}

/** Offers the empty fields by name; a chosen one opens its picker or its editor. */
export function AddField({ fields, onAdd }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles['add']}>
      <Button kind="quiet" aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
        <Icon of={Plus} size={14} />
        {text('artifact.add')}
      </Button>
      <ul id={id} hidden={!isOpen}>
        {fields.map((field) => (
          <li key={field.field_id} data-field={field.field_id}>
            <Button
              kind="quiet"
              aria-label={text('artifact.add_field', { label: field.label })}
              onPress={() => onAdd(field)}
            >
              {field.label}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
