import type { Tracker } from '@waypost/sdk/api'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { listChoices } from '../artifacts/choices.ts'
import type { StatusProgress } from '../design/pill.tsx'
import { AssigneeProvider } from './assignee.tsx'
import { DueFieldProvider } from './due.tsx'

interface StatusOfTracker {
  readonly fieldId: number
  readonly progressOf: (value: ChoiceKey) => StatusProgress
}

const StatusContext = createContext<StatusOfTracker | undefined>(undefined)

/** Tells the values below which fields are the status, the due date and the assignee of the tracker. */
export function StatusProvider({ tracker, children }: { tracker: Tracker; children: ReactNode }) {
  const status = useMemo(() => statusOf(tracker), [tracker])
  return (
    <StatusContext value={status}>
      <DueFieldProvider tracker={tracker}>
        <AssigneeProvider tracker={tracker}>{children}</AssigneeProvider>
      </DueFieldProvider>
    </StatusContext>
  )
}

/** The progress of the values of this field; undefined: it is not the status. */
export function useStatusProgress(fieldId: number | undefined): ((value: ChoiceKey) => StatusProgress) | undefined {
  const status = useContext(StatusContext)
  return status && status.fieldId === fieldId ? status.progressOf : undefined
}

/** Open values fill the circle in the order of the list. Closed ones are done, unless the tracker says which are. */
export function statusOf({ semantics, fields }: Tracker): StatusOfTracker | undefined {
  const { status, done } = semantics
  const field = fields.find(({ field_id }) => field_id === status?.field_id)
  if (!status || !field) return undefined
  const open = listChoices(field)
    .map(({ key }) => key)
    .filter((key) => status.value_ids.some((id) => id === key))
  return { fieldId: status.field_id, progressOf: statusProgress(open, done?.value_ids ?? []) }
}

/** `open` in the order of the list; without `done`, all other values are done. */
export function statusProgress<Key extends ChoiceKey>(
  open: readonly Key[],
  done: readonly Key[],
): (value: Key) => StatusProgress {
  return (value) => {
    const index = open.indexOf(value)
    if (index >= 0) return index / open.length
    return done.length === 0 || done.includes(value) ? 'done' : 'dropped'
  }
}
