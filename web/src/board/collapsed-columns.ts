import { useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { isJsonRecord } from '../json.ts'

const STORAGE_KEY = 'waypost.board_columns'

export interface CollapsedColumns {
  readonly isCollapsed: (key: ChoiceKey | undefined) => boolean
  readonly setCollapsed: (key: ChoiceKey | undefined, isCollapsed: boolean) => void
}

/** The columns of a field that a person has collapsed or expanded; kept on the device. Others start as `isUsual` says. */
export function useCollapsedColumns(field: number, isUsual: (key: ChoiceKey | undefined) => boolean): CollapsedColumns {
  const [chosen, setChosen] = useState(load)
  const name = (key: ChoiceKey | undefined) => `${field}.${String(key)}`
  return {
    isCollapsed: (key) => chosen.get(name(key)) ?? isUsual(key),
    setCollapsed: (key, isCollapsed) => {
      const next = new Map(chosen).set(name(key), isCollapsed)
      setChosen(next)
      localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(next)))
    },
  }
}

/** The ids tell which boards a person uses, so signing out deletes them. */
export function deleteCollapsedColumns(): void {
  localStorage.removeItem(STORAGE_KEY)
}

function load(): ReadonlyMap<string, boolean> {
  const stored = parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
  const chosen = new Map<string, boolean>()
  for (const [name, value] of Object.entries(isJsonRecord(stored) ? stored : {}))
    if (typeof value === 'boolean') chosen.set(name, value)
  return chosen
}

function parse(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}
