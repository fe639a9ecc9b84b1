import { Ellipsis } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from './messages.ts'
import styles from './toolbar.module.css'

/** Rarely used actions of a view, in a popover. */
export function MoreMenu({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button ref={anchor} kind="icon" aria-label={text('table.more')} onPress={() => setOpen(true)}>
        <Icon of={Ellipsis} />
      </Button>
      {isOpen && (
        <Popover
          isOpen
          triggerRef={anchor}
          placement="bottom end"
          offset={4}
          aria-label={text('table.more')}
          className={`${styles['popover']} ${styles['small']}`}
          onOpenChange={setOpen}
        >
          <div className={styles['more']}>{children(() => setOpen(false))}</div>
        </Popover>
      )}
    </>
  )
}
