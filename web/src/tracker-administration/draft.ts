import { createContext, useContext } from 'react'
import type { Definition } from './definition.ts'
import type { GrantableGroup } from './definition-query.ts'

/** One change by the user. It is stored as an operation, so that it can be reapplied to a newer version. */
export interface DefinitionChange {
  readonly label: string
  readonly apply: (definition: Definition) => Definition
}

/** The draft of a tracker definition: nothing is written before its plan was shown. */
export interface DefinitionDraft {
  readonly tracker: { readonly id: number; readonly label: string; readonly project: { id: number; label: string } }
  readonly stored: Definition
  /** The definition with all changes applied. */
  readonly definition: Definition
  readonly groups: readonly GrantableGroup[]
  readonly change: (label: string, apply: DefinitionChange['apply']) => void
}

export const DraftContext = createContext<DefinitionDraft | null>(null)

export function useDraft(): DefinitionDraft {
  const draft = useContext(DraftContext)
  if (!draft) throw new Error('There is no tracker to administer around this.')
  return draft
}

/** A group that the project no longer has keeps its name from the document. */
export function groupLabel(groups: readonly GrantableGroup[], name: string): string {
  return groups.find((each) => each.name === name)?.label ?? name
}
