import type { Tracker } from '@waypost/sdk/api'
import { SelectField } from '../../design/field.tsx'
import { text } from '../messages.ts'
import styles from '../order-pick.module.css'
import { type GroupChoice, groupChoiceLabel, groupName, possibleGroups } from './group-choice.ts'

interface Props {
  tracker: Tracker
  chosen: GroupChoice | undefined
  onChange: (group: string | undefined) => void
}

export function GroupPick({ tracker, chosen, onChange }: Props) {
  const options = possibleGroups(tracker).map((choice) => ({
    value: groupName(choice),
    label: groupChoiceLabel(choice),
  }))
  return (
    <div className={styles['pick']}>
      <SelectField
        label={text('group.title')}
        value={chosen ? groupName(chosen) : ''}
        options={[{ value: '', label: text('group.no') }, ...options]}
        onChange={(name) => onChange(name === '' ? undefined : name)}
      />
    </div>
  )
}
