import type { RefObject } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { text } from '../messages/text.ts'
import { PickList, type PickOption } from './pick-list.tsx'
import styles from './pick-list.module.css'

interface Props {
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string
  readonly options: readonly PickOption[]
  readonly chosen: string
  readonly onPick: (id: string | undefined) => void
  readonly onClose: () => void
}

/** The values of a `ChoiceMenu`, in a popover below its button. */
export function ChoiceList({ anchor, label, options, chosen, onPick, onClose }: Props) {
  return (
    <Popover
      isOpen
      triggerRef={anchor}
      placement="bottom start"
      offset={4}
      aria-label={label}
      className={styles['popover'] ?? ''}
      onOpenChange={onClose}
    >
      <PickList
        label={label}
        placeholder={text('pick.find')}
        options={options}
        chosen={[chosen]}
        isMenu
        onPick={([picked]) => onPick(picked)}
      />
    </Popover>
  )
}
