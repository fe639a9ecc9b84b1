import { readdir, readFile } from 'node:fs/promises'
import { round } from '../quantiles.ts'

/**
 * Asked later, says how much of one processor each of these processes has used since, with those that it has started;
 * null: not known here.
 */
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

/** Seconds of processors, also of what it has started and has ended. */
async function processorTime(root: number): Promise<number | null> {
  const all = await readAll()
  if (all.length === 0) return null
  const wanted = new Set([root])
  for (const { pid, parent } of all.toSorted((one, other) => one.pid - other.pid))
    if (wanted.has(parent)) wanted.add(pid)
  const counted = all.filter(({ pid }) => wanted.has(pid))
  return counted.reduce((sum, { ticks, ended }) => sum + ticks + ended, 0) / TICKS
}

const TICKS = 100 // A second, on every Linux of today.

async function readAll(): Promise<{ pid: number; parent: number; ticks: number; ended: number }[]> {
  const found = []
  for (const id of (await readdir('/proc').catch(() => [])).filter((each) => /^\d+$/.test(each))) {
    const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ') // A name may have spaces.
    const sum = (at: number) => Number(rest[at]) + Number(rest[at + 1])
    if (text !== '') found.push({ pid: Number(id), parent: Number(rest[1]), ticks: sum(11), ended: sum(13) })
  }
  return found
}
