import type { Tracker } from '@waypost/sdk/api'
import { ChoiceMenu } from '../../design/choice-menu.tsx'
import { text } from '../messages.ts'
import { AS_TREE, type GroupChoice, groupChoiceLabel, groupName, hasFamily, possibleGroups } from './group-choice.ts'

interface Props {
  tracker: Tracker
  chosen: GroupChoice | undefined
  isTree: boolean
  onChange: (group: string | undefined) => void
}

export function GroupPick({ tracker, chosen, isTree, onChange }: Props) {
  const options = possibleGroups(tracker).map((choice) => ({
    value: groupName(choice),
    label: groupChoiceLabel(choice),
  }))
  return (
    <ChoiceMenu
      label={text('group.title')}
      isQuiet
      value={isTree ? AS_TREE : chosen ? groupName(chosen) : ''}
      options={[
        { value: '', label: text('group.no') },
        ...(hasFamily(tracker) ? [{ value: AS_TREE, label: text('group.tree') }] : []),
        ...options,
      ]}
      onChange={(name) => onChange(name === '' ? undefined : name)}
    />
  )
}
