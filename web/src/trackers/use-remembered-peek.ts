import { useEffect, useRef } from 'react'
import { loadPeekMemory } from '../peek/peek-memory.ts'
import type { Peek } from '../peek/use-peek.ts'
import type { GridRows } from './grid-rows.ts'
import { useVersion } from './use-rows.ts'

/** The width at which the panel stands beside the table, not over it. */
const WIDE = '(min-width: 80.0625rem)'

/** A person who works with the panel finds it open at the active row of each table. */
export function useRememberedPeek({ id, show }: Peek, loader: GridRows | undefined): void {
  const isDone = useRef(false)
  const version = useVersion(loader)
  useEffect(() => {
    if (!loader || isDone.current) return
    const first = loader.store.idAt(Math.max(0, loader.place.row)) ?? loader.store.idAt(1)
    if (first === undefined) return
    isDone.current = true
    if (id === undefined && loadPeekMemory().isOpen && matchMedia(WIDE).matches) show(first)
  }, [loader, version])
}
