/** What has to be ended, the last first. */
export interface Ends {
  push(end: () => Promise<unknown>): void
  run(): Promise<void>
}

export function createEnds(): Ends {
  const ends: (() => Promise<unknown>)[] = []
  return {
    push: (end) => void ends.push(end),
    async run() {
      for (const end of ends.splice(0).toReversed()) await end().catch(() => {}) // The others end all the same.
    },
  }
}
