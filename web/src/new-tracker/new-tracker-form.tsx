import { type Failure, Refusal } from '@waypost/sdk/answer'
import type { ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { problemAt } from './create-trackers.ts'
import styles from './new-tracker-page.module.css'
import { text } from './messages.ts'
import { NameFields } from './name-fields.tsx'
import type { TrackerNames } from './new-tracker-queries.ts'

interface Props {
  readonly title: string
  readonly lead: string
  readonly names: TrackerNames
  readonly onNames: (names: TrackerNames) => void
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** False if there is nothing to create yet. */
  readonly isReady?: boolean
  readonly onSubmit: () => void
  readonly children?: ReactNode
}

/** A way to create one tracker: its own inputs, the names, and the button. */
export function NewTrackerForm({
  title,
  lead,
  names,
  onNames,
  failure,
  isBusy,
  isReady = true,
  onSubmit,
  children,
}: Props) {
  const isShown = failure && (problemAt(failure, '/label') ?? problemAt(failure, '/item_name')) === undefined
  return (
    <Panel title={title} lead={lead}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) onSubmit()
        }}
      >
        {children}
        <NameFields names={names} failure={failure} onChange={onNames} />
        {isShown && <RefusalNotice error={new Refusal(failure)} />}
        <div>
          <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={!isReady}>
            {text('new_tracker.create', { count: 1 })}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
