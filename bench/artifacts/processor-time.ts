import { readdir, readFile } from 'node:fs/promises'
import { round } from '../quantiles.ts'

/** Returns a function that reports the CPU usage of each process and its children since the call; null if unknown. */
export async function watchProcessors(pids: readonly number[]): Promise<() => Promise<(number | null)[]>> {
  const used = () => Promise.all(pids.map(processorTime))
  const before = await used()
  const began = performance.now()
  return async () => {
    const seconds = (performance.now() - began) / 1000
    return (await used()).map((after, at) => {
      const earlier = before[at] ?? null
      return after === null || earlier === null ? null : round((after - earlier) / seconds)
    })
  }
}

/** CPU seconds of a process and its children, including ended ones. */
async function processorTime(root: number): Promise<number | null> {
  const all = await readAll()
  if (all.length === 0) return null
  const wanted = new Set([root])
  for (const { pid, parent } of all.toSorted((one, other) => one.pid - other.pid))
    if (wanted.has(parent)) wanted.add(pid)
  const counted = all.filter(({ pid }) => wanted.has(pid))
  return counted.reduce((sum, { ticks, ended }) => sum + ticks + ended, 0) / TICKS_PER_SECOND
}

const TICKS_PER_SECOND = 100 // The value of all current Linux kernels.

async function readAll(): Promise<{ pid: number; parent: number; ticks: number; ended: number }[]> {
  const found = []
  for (const id of (await readdir('/proc').catch(() => [])).filter((each) => /^\d+$/.test(each))) {
    const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ') // A process name may contain spaces.
    const sum = (at: number) => Number(rest[at]) + Number(rest[at + 1])
    if (text !== '') found.push({ pid: Number(id), parent: Number(rest[1]), ticks: sum(11), ended: sum(13) })
  }
  return found
}
