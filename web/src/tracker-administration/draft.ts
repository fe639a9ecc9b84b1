import { createContext, useContext } from 'react'
import type { Definition } from './definition.ts'
import type { Group } from './definition-query.ts'

/** One thing that somebody wants otherwise. It is kept as what to do, so that it can be done to a newer version as well. */
export interface Change {
  readonly label: string
  readonly apply: (definition: Definition) => Definition
}

/** A tracker while it is changed: nothing is written before its plan was seen. */
export interface Draft {
  readonly tracker: { readonly id: number; readonly label: string; readonly project: { id: number; label: string } }
  readonly stored: Definition
  /** As it would be. */
  readonly definition: Definition
  readonly groups: readonly Group[]
  readonly change: (label: string, apply: Change['apply']) => void
}

export const DraftContext = createContext<Draft | null>(null)

export function useDraft(): Draft {
  const draft = useContext(DraftContext)
  if (!draft) throw new Error('There is no tracker to administer around this.')
  return draft
}

/** A group that the project no longer has keeps the name that the document gives it. */
export function groupLabel(groups: readonly Group[], name: string): string {
  return groups.find((each) => each.name === name)?.label ?? name
}
