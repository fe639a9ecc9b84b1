import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Asked, readRevisionNumbers } from './read-log.ts'
import type { Browsed, SvnSession } from './session.ts'

/** The revisions of a path, newest first: how many there are, and which is at a place. */
export interface History {
  readonly size: number
  at(place: number): number
  /** The place of the first that is older. */
  placeBehind(revision: number): number
}

/** Everything belongs to the root: its history needs no asking. */
export function everyRevision(from: number, to: number): History {
  const size = Math.max(from - to + 1, 0)
  return { size, at: (place) => from - place, placeBehind: (revision) => Math.max(from - revision + 1, 0) }
}

export function historyOf(numbers: readonly number[]): History {
  const placeBehind = (revision: number) => {
    const place = numbers.findIndex((each) => each < revision)
    return place === -1 ? numbers.length : place
  }
  return { size: numbers.length, at: (place) => numbers[place] ?? 0, placeBehind }
}

export async function readHistory(session: SvnSession, browsed: Browsed, asked: Asked): Promise<History> {
  if (asked.path === '/') return everyRevision(asked.from, asked.to)
  if (asked.to > asked.from) return historyOf([])
  const key = await keyOf(browsed, asked)
  const known = KEPT.get(key)
  const numbers = known ?? (await readRevisionNumbers(session, asked))
  keep(key, numbers)
  return historyOf(numbers)
}

/** The past does not change, but who may see it does: the access file, which names its repository, is in the key. */
const KEPT = new Map<string, readonly number[]>()
const MOST_KEPT = 64
const LONGEST_KEPT = 100_000

async function keyOf({ folder, login }: Browsed, { path, from, to, stopOnCopy }: Asked): Promise<string> {
  const rules = hash('sha256', await readFile(join(folder, 'conf', 'authz')), 'base64url')
  return JSON.stringify([folder, login, rules, path, from, to, stopOnCopy])
}

function keep(key: string, numbers: readonly number[]): void {
  if (numbers.length > LONGEST_KEPT) return
  KEPT.delete(key)
  KEPT.set(key, numbers)
  const [oldest] = KEPT.keys()
  if (KEPT.size > MOST_KEPT && oldest !== undefined) KEPT.delete(oldest)
}
