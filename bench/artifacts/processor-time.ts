import { readdir, readFile } from 'node:fs/promises'

/**
 * Seconds that these processes, and those that they have started, also if they have ended, have used of processors;
 * undefined: not known here.
 */
export async function processorTime(pids: readonly number[]): Promise<number | undefined> {
  const all = await readAll()
  if (all.length === 0) return undefined
  const wanted = new Set(pids)
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
