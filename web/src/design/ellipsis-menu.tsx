import { Ellipsis } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface Props {
  readonly label: string
  /** The class of the popover. */
  readonly className: string
  readonly children: (close: () => void) => ReactNode
}

/** Rare actions in a popover, behind a button with three dots. */
export function EllipsisMenu({ label, className, children }: Props) {
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
          className={className}
          onOpenChange={setOpen}
        >
          {children(() => setOpen(false))}
        </Popover>
      )}
    </>
  )
}
