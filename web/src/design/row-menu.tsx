import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Popover } from 'react-aria-components/Popover'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './row-menu.module.css'

export interface RowAction {
  readonly label: string
  readonly onPress: () => void
  readonly isDanger?: boolean
  /** The reason why it cannot be used now. */
  readonly refused?: string | undefined
}

/** The rare actions of a row, behind one button. */
export function RowMenu({ label, actions }: { readonly label: string; readonly actions: readonly RowAction[] }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button ref={anchor} kind="icon" aria-label={label} aria-haspopup="dialog" onPress={() => setOpen(true)}>
        <Icon of={Ellipsis} />
      </Button>
      {isOpen && (
        <Popover
          isOpen
          triggerRef={anchor}
          placement="bottom end"
          offset={4}
          aria-label={label}
          className={styles['popover'] ?? ''}
          onOpenChange={setOpen}
        >
          <ul>
            {actions.map(({ label: name, onPress, isDanger = false, refused }, index) => (
              <li key={name}>
                <AriaButton
                  autoFocus={index === 0}
                  isDisabled={refused !== undefined}
                  className={isDanger ? (styles['danger'] ?? '') : ''}
                  onPress={() => {
                    setOpen(false)
                    onPress()
                  }}
                >
                  {name}
                  {refused !== undefined && <small>{refused}</small>}
                </AriaButton>
              </li>
            ))}
          </ul>
        </Popover>
      )}
    </>
  )
}
