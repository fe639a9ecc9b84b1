import type { Failure } from '@waypost/sdk/answer'
import { TextField } from '../design/field.tsx'
import { problemAt } from './create-trackers.ts'
import styles from './new-tracker-page.module.css'
import { text } from './messages.ts'
import { toItemName, type TrackerNames } from './new-tracker-queries.ts'

interface Props {
  readonly names: TrackerNames
  readonly failure: Failure | undefined
  readonly onChange: (names: TrackerNames) => void
}

/** Name and item name. The item name follows the name until it is edited. */
export function NameFields({ names, failure, onChange }: Props) {
  const { label, item_name } = names
  const isSuggested = item_name === toItemName(label)
  return (
    <div className={styles['pair']}>
      <TextField
        label={text('new_tracker.label')}
        error={problemAt(failure, '/label')}
        value={label}
        maxLength={255}
        required
        autoComplete="off"
        onChange={({ target: { value } }) =>
          onChange({ label: value, item_name: isSuggested ? toItemName(value) : item_name })
        }
      />
      <TextField
        label={text('new_tracker.item_name')}
        hint={text('new_tracker.item_name.hint', { example: `${item_name === '' ? 'bug' : item_name} #12` })}
        error={problemAt(failure, '/item_name')}
        value={item_name}
        maxLength={255}
        pattern="[a-zA-Z0-9_]+"
        required
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) => onChange({ label, item_name: value })}
      />
    </div>
  )
}
