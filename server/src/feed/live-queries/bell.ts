/** Waits for a time, or until somebody rings. */
export interface Bell {
  ring(): void
  wait(milliseconds: number): Promise<void>
}

export function createBell(): Bell {
  let wake: (() => void) | undefined
  let hasRung = false
  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(milliseconds) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, milliseconds)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      hasRung = false
      wake = undefined
    },
  }
}
