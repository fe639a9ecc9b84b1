import { useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { loadCollapsed, storeCollapsed } from '../shell/collapsed-parts.ts'

export interface CollapsedColumns {
  readonly isCollapsed: (key: ChoiceKey | undefined) => boolean
  readonly setCollapsed: (key: ChoiceKey | undefined, isCollapsed: boolean) => void
}

/** The columns of a field that a person has collapsed or expanded. Others start as `isUsual` says. */
export function useCollapsedColumns(field: number, isUsual: (key: ChoiceKey | undefined) => boolean): CollapsedColumns {
  const [chosen, setChosen] = useState(loadCollapsed)
  const name = (key: ChoiceKey | undefined) => `board ${field} ${String(key)}`
  return {
    isCollapsed: (key) => chosen.get(name(key)) ?? isUsual(key),
    setCollapsed: (key, isCollapsed) => setChosen(storeCollapsed(name(key), isCollapsed)),
  }
}
