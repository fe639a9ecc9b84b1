/** A sleep that `notify` ends early. */
export interface Wakeup {
  notify(): void
  wait(milliseconds: number): Promise<void>
}

export function createWakeup(): Wakeup {
  let wake: (() => void) | undefined
  let isNotified = false
  return {
    notify() {
      isNotified = true
      wake?.()
    },
    async wait(milliseconds) {
      if (!isNotified) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, milliseconds)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      isNotified = false
      wake = undefined
    },
  }
}
