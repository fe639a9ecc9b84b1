import { Ellipsis } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { ApiCallsDialog } from '../design/api-calls-dialog.tsx'
import type { SnippetCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from './messages.ts'
import styles from './toolbar.module.css'

interface Props {
  /** The API calls of the view. */
  readonly calls: readonly SnippetCall[]
  readonly children?: (close: () => void) => ReactNode
}

/** Rarely used actions of a view, in a popover. */
export function MoreMenu({ calls, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [hasCalls, setCalls] = useState(false)
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
          <div className={styles['more']}>
            {children?.(() => setOpen(false))}
            <Button
              onPress={() => {
                setOpen(false)
                setCalls(true)
              }}
            >
              {text('api_call')}
            </Button>
          </div>
        </Popover>
      )}
      {hasCalls && <ApiCallsDialog calls={calls} onClose={() => setCalls(false)} />}
    </>
  )
}
