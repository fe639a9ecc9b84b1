/** Cleanup functions, run in reverse order. */
export interface CleanupStack {
  push(end: () => Promise<unknown>): void
  run(): Promise<void>
}

export function createCleanupStack(): CleanupStack {
  const cleanups: (() => Promise<unknown>)[] = []
  return {
    push: (end) => void cleanups.push(end),
    async run() {
      for (const end of cleanups.splice(0).toReversed()) await end().catch(() => {}) // A failure must not stop the others.
    },
  }
}
