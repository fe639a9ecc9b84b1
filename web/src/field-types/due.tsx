import type { Tracker } from '@waypost/sdk/api'
import { createContext, type ReactNode, useContext } from 'react'

const DUE_NAMES = ['due_date', 'due', 'due_on', 'deadline', 'end_date']

/** The field by which artifacts of the tracker are late. */
export function dueField({ semantics, fields }: Pick<Tracker, 'semantics' | 'fields'>) {
  const end = semantics.timeframe?.end_date_field_id
  return fields.find(({ field_id }) => field_id === end) ?? fields.find(({ name }) => DUE_NAMES.includes(name))
}

const DueFieldContext = createContext<number | undefined>(undefined)

export function DueFieldProvider({ tracker, children }: { tracker: Tracker; children: ReactNode }) {
  return <DueFieldContext value={dueField(tracker)?.field_id}>{children}</DueFieldContext>
}

const OpenContext = createContext<boolean | undefined>(undefined)

/** Tells the values below whether their artifact is open. Without it, they are of the past, and not late. */
export function OpenProvider({ isOpen, children }: { isOpen: boolean | undefined; children: ReactNode }) {
  return <OpenContext value={isOpen}>{children}</OpenContext>
}

/** Whether the value of this field is the due date of an artifact as it is now, open or closed. */
export function useDueState(fieldId: number | undefined): 'open' | 'closed' | undefined {
  const due = useContext(DueFieldContext)
  const isOpen = useContext(OpenContext)
  if (due === undefined || due !== fieldId || isOpen === undefined) return undefined
  return isOpen ? 'open' : 'closed'
}
