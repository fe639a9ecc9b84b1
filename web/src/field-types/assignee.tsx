import type { Tracker } from '@waypost/sdk/api'
import { createContext, type ReactNode, useContext } from 'react'
import { NoAvatar } from '../design/marks.tsx'
import { Hidden } from '../design/page.tsx'
import { text } from '../messages/text.ts'

const AssigneeContext = createContext<number | undefined>(undefined)

/** Tells the values below which field has the assignees of the tracker. */
export function AssigneeProvider({ tracker, children }: { tracker: Tracker; children: ReactNode }) {
  return <AssigneeContext value={tracker.semantics.contributor?.field_id}>{children}</AssigneeContext>
}

/** The field of the assignees; undefined: the tracker has none. */
export function useAssigneeField(): number | undefined {
  return useContext(AssigneeContext)
}

/** Stands in the place of an empty value: a dashed avatar for the assignee, nothing for other fields. */
export function Unassigned({ fieldId }: { readonly fieldId: number }) {
  const assignee = useAssigneeField()
  if (assignee !== fieldId) return null
  return (
    <span title={text('facts.unassigned')}>
      <NoAvatar size={20} />
      <Hidden>{text('facts.unassigned')}</Hidden>
    </span>
  )
}
