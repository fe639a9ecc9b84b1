import type { NotificationThread } from '@waypost/sdk/api'
import { Clock } from 'lucide-react'
import { useRef } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from '../design/icon.tsx'
import { PickList } from '../design/pick-list.tsx'
import styles from '../design/pick-list.module.css'
import { text } from './messages.ts'
import { snoozeThread } from './snooze-threads.ts'
import { snoozeTimes, snoozeTimeText } from './snooze-times.ts'

interface Props {
  readonly thread: NotificationThread
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

/** A popover with the times until which an entry can be hidden. */
export function SnoozeMenu({ thread, anchor, onClose }: Props) {
  const trigger = useRef<Element>(anchor)
  const times = snoozeTimes()
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      placement="bottom end"
      offset={4}
      aria-label={text('inbox.snooze')}
      className={String(styles['popover'])}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <PickList
        label={text('inbox.snooze')}
        placeholder={text('inbox.snooze.find')}
        options={times.map(({ name, until }) => ({
          id: name,
          label: text(`inbox.snooze.${name}`, { when: snoozeTimeText(until) }),
          mark: <Icon of={Clock} />,
        }))}
        chosen={[]}
        onPick={([picked]) => {
          const time = times.find(({ name }) => name === picked)
          onClose()
          if (time) void snoozeThread(thread, time.until)
        }}
      />
    </Popover>
  )
}
