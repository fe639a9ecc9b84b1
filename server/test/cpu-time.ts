const WORTH_ANOTHER_LOOK = 50

/** Milliseconds of this thread's own work, whatever else the machine does; of what seems slow, the best of three runs. */
export function cpuTimeOf(run: () => unknown): number {
  const first = measure(run)
  return first < WORTH_ANOTHER_LOOK ? first : Math.min(first, measure(run), measure(run))
}

function measure(run: () => unknown): number {
  const start = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
