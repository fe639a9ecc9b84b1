import { useState } from 'react'
import { limitPeekWidth, loadPeekMemory, storePeekMemory } from './peek-memory.ts'

export interface PeekWidth {
  /** In pixels. */
  readonly width: number
  readonly preview: (width: number) => void
  readonly store: (width: number) => void
}

/** The width that a person has given to the panel. */
export function usePeekWidth(): PeekWidth {
  const [width, setWidth] = useState(() => loadPeekMemory().width)
  return {
    width,
    preview: (next) => setWidth(limitPeekWidth(next)),
    store: (next) => {
      setWidth(limitPeekWidth(next))
      storePeekMemory({ width: limitPeekWidth(next) })
    },
  }
}
