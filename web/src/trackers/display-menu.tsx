import { Settings2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import styles from './filter-bar.module.css'
import { text } from './messages.ts'

/** The controls of a view in a popover, where the toolbar has no room for them. */
export function DisplayMenu({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button ref={anchor} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Icon of={Settings2} />
        {text('table.display')}
      </Button>
      {isOpen && (
        <Popover
          isOpen
          triggerRef={anchor}
          placement="bottom end"
          offset={4}
          aria-label={text('table.display')}
          className={String(styles['display'])}
          onOpenChange={setOpen}
        >
          {children}
        </Popover>
      )}
    </>
  )
}
