import { useRef, useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'

/** A column and a lane. */
export interface BoardCell {
  readonly key: ChoiceKey | undefined
  readonly lane: string
}

/** A card that is picked up, and its current target. */
export interface HeldCard {
  readonly id: number
  readonly by: 'pointer' | 'keys'
  readonly from: BoardCell
  /** Undefined: outside the board. */
  readonly over: BoardCell | undefined
  /** The card that will follow it, in an order by hand; undefined: it comes last in its cell. */
  readonly slot: number | undefined
}

/** A ref mirrors the state, so that consecutive event handlers see changes before the next render. */
export function useHeldCard() {
  const [held, setHeld] = useState<HeldCard>()
  const now = useRef<HeldCard>(undefined)
  const become = (next: HeldCard | undefined) => {
    now.current = next
    setHeld(next)
  }
  return {
    held,
    hold: (id: number, by: HeldCard['by'], from: BoardCell, slot: number | undefined) =>
      become({ id, by, from, over: from, slot }),
    over: (place: BoardCell | undefined, slot: number | undefined) => {
      const { current } = now
      if (current && (!isSameCell(current.over, place) || current.slot !== slot))
        become({ ...current, over: place, slot })
    },
    /** Drops the card and returns it. */
    release: (): HeldCard | undefined => {
      const { current } = now
      become(undefined)
      return current
    },
  }
}

export function isSameCell(one: BoardCell | undefined, other: BoardCell | undefined): boolean {
  return one?.key === other?.key && one?.lane === other?.lane && (one === undefined) === (other === undefined)
}
