import { type ReactNode, useState } from 'react'
import { ApiCallsDialog } from '../design/api-calls-dialog.tsx'
import type { SnippetCall } from '../design/api-snippets.tsx'
import { Button } from '../design/button.tsx'
import { EllipsisMenu } from '../design/ellipsis-menu.tsx'
import { text } from './messages.ts'
import styles from './toolbar.module.css'

interface Props {
  /** The API calls of the view. */
  readonly calls: readonly SnippetCall[]
  readonly children?: (close: () => void) => ReactNode
}

/** Rarely used actions of a view. */
export function MoreMenu({ calls, children }: Props) {
  const [hasCalls, setCalls] = useState(false)
  return (
    <>
      <EllipsisMenu label={text('table.more')} className={`${styles['popover']} ${styles['small']}`}>
        {(close) => (
          <div className={styles['more']}>
            {children?.(close)}
            <Button
              onPress={() => {
                close()
                setCalls(true)
              }}
            >
              {text('api_call')}
            </Button>
          </div>
        )}
      </EllipsisMenu>
      {hasCalls && <ApiCallsDialog calls={calls} onClose={() => setCalls(false)} />}
    </>
  )
}
