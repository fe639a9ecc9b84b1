/** Lets some work at a time, and the others wait in the order in which they came. */
export type Desk = <T>(work: () => Promise<T>) => Promise<T>

export function createDesk(places: number): Desk {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
