import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Asked, readable, readRevisionNumbers, readSegments, type Segment } from './read-log.ts'
import { type Browsed, type SvnSession, withSession } from './session.ts'

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

/**
 * Which revisions a path has does not depend on who asks, but for where he must stop: at the first place that he may not
 * read. So it is found out once, with the server's own eyes, and kept.
 */
export async function readHistory(session: SvnSession, browsed: Browsed, asked: Asked): Promise<History> {
  if (asked.path === '/') return everyRevision(asked.from, asked.to)
  if (asked.to > asked.from) return historyOf([])
  const { numbers, segments } = await knownPast(browsed, asked)
  const allowed = await readable(session, [...new Set(segments.map(({ path }) => path))])
  const dark = segments.find(({ path }) => !allowed.has(path))
  const oldest = Math.max(asked.to, (dark?.to ?? 0) + 1)
  return historyOf(numbers.filter((revision) => revision >= oldest))
}

/** The past of what has a path in a revision, back to its beginning. */
interface Past {
  readonly from: number
  readonly numbers: readonly number[]
  /** Where it was, newest first. */
  readonly segments: readonly Segment[]
}

/** The past does not change: what was found for another revision of the same thing serves for this one. */
const KEPT = new Map<string, Past>()
const MOST_KEPT = 256
const LONGEST_KEPT = 100_000

async function knownPast(browsed: Browsed, asked: Asked): Promise<Past> {
  const key = await keyOf(browsed, asked)
  const kept = KEPT.get(key)
  const older = kept && pastUntil(kept, asked)
  if (older) return older
  const found = await withSession(browsed, 'whole', (session) => extendPast(session, kept, asked))
  keep(key, found)
  return found
}

/** Of something that had this path in the revision that is asked for; undefined: it was something else. */
function pastUntil({ from, numbers, segments }: Past, asked: Asked): Past | undefined {
  if (from < asked.from || !isSame(segments, asked, asked.from)) return undefined
  return {
    from: asked.from,
    numbers: numbers.filter((revision) => revision <= asked.from),
    segments: segments.filter((segment) => segment.from <= asked.from),
  }
}

/** Only what came since is asked for, if it is the same thing that is known. */
async function extendPast(session: SvnSession, kept: Past | undefined, asked: Asked): Promise<Past> {
  const { path, from, stopOnCopy = false } = asked
  const segments = await readSegments(session, path, from)
  const isMore = kept && kept.from < from && isSame(segments, asked, kept.from)
  const fresh = await readRevisionNumbers(session, { path, from, to: isMore ? kept.from + 1 : 1, stopOnCopy })
  return { from, numbers: isMore ? [...fresh, ...kept.numbers] : fresh, segments }
}

/** Whether it had the same path in an older revision, and, where copies end it, no other in between. */
function isSame(segments: readonly Segment[], { path, stopOnCopy }: Asked, revision: number): boolean {
  const at = segments.findIndex((segment) => segment.from <= revision && revision <= segment.to)
  return segments[at]?.path === path && (stopOnCopy !== true || at === 0)
}

/** A repository that takes the place of another has a name of its own, which Subversion gives it. */
async function keyOf({ folder }: Browsed, { path, stopOnCopy }: Asked): Promise<string> {
  return JSON.stringify([folder, await readFile(join(folder, 'db', 'uuid'), 'utf8'), path, stopOnCopy === true])
}

function keep(key: string, past: Past): void {
  if (past.numbers.length > LONGEST_KEPT || (KEPT.get(key)?.from ?? 0) > past.from) return
  KEPT.delete(key)
  KEPT.set(key, past)
  const [oldest] = KEPT.keys()
  if (KEPT.size > MOST_KEPT && oldest !== undefined) KEPT.delete(oldest)
}
