import { useRef, useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'

/** A column and a lane. */
export interface Place {
  readonly key: ChoiceKey | undefined
  readonly lane: string
}

/** A card that somebody has picked up, and where it would go. */
export interface Held {
  readonly id: number
  readonly by: 'pointer' | 'keys'
  readonly from: Place
  /** Undefined: beside the board. */
  readonly over: Place | undefined
}

/** Handlers of one event after the other see what the one before has done, before it is drawn. */
export function useHeld() {
  const [held, setHeld] = useState<Held>()
  const now = useRef<Held>(undefined)
  const become = (next: Held | undefined) => {
    now.current = next
    setHeld(next)
  }
  return {
    held,
    hold: (id: number, by: Held['by'], from: Place) => become({ id, by, from, over: from }),
    over: (place: Place | undefined) => {
      const { current } = now
      if (current && !isSamePlace(current.over, place)) become({ ...current, over: place })
    },
    /** What was held until now. */
    release: (): Held | undefined => {
      const { current } = now
      become(undefined)
      return current
    },
  }
}

export function isSamePlace(one: Place | undefined, other: Place | undefined): boolean {
  return one?.key === other?.key && one?.lane === other?.lane && (one === undefined) === (other === undefined)
}
