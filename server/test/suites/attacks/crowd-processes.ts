import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

interface Process {
  readonly parent: number
  /** Of itself, and of its children that have ended. */
  readonly seconds: number
}

/** Processor time of a process and of its children, those that have ended included, in seconds. */
export function processorSeconds(pid: number): number {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined
    if (found) processes.set(Number(name), found)
  }
  const sum = (id: number): number =>
    [...processes]
      .filter(([, { parent }]) => parent === id)
      .reduce((seconds, [child]) => seconds + sum(child), processes.get(id)?.seconds ?? 0)
  return sum(pid)
}

/** The share of processor time that other guests of the same host took, as `/proc/stat` counts it so far. */
export function readStolenTime(): { readonly stolen: number; readonly all: number } {
  const [, ...ticks] = (readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? '').split(/ +/).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.slice(0, 8).reduce((sum, each) => sum + each, 0) }
}

export function parentOf(pid: number): number {
  return readProcess(pid)?.parent ?? 0
}

/** Undefined: it has ended. The name of a program may contain spaces and parentheses; the fields begin behind it. */
function readProcess(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((all, each) => all + Number(each), 0)
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}
