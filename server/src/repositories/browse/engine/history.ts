import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../platform/operation/context.ts'
import { type LogQuery, findReadablePaths, readRevisionNumbers, readSegments, type Segment } from './read-log.ts'
import { type Browsed, type SvnSession, withSession } from './session.ts'

declare module '../../../platform/operation/context.ts' {
  interface Context {
    readonly svnHistories: HistoryCache
  }
}

/** The revisions of a path, newest first, addressed by index. */
export interface History {
  readonly size: number
  at(place: number): number
  /** The index of the first older revision. */
  indexAfter(revision: number): number
}

/** Every revision belongs to the root, so its history needs no request. */
export function everyRevision(from: number, to: number): History {
  const size = Math.max(from - to + 1, 0)
  return { size, at: (place) => from - place, indexAfter: (revision) => Math.max(from - revision + 1, 0) }
}

export function createHistory(numbers: readonly number[]): History {
  const indexAfter = (revision: number) => {
    const place = numbers.findIndex((each) => each < revision)
    return place === -1 ? numbers.length : place
  }
  return { size: numbers.length, at: (place) => numbers[place] ?? 0, indexAfter }
}

/**
 * The revisions of a path are the same for all viewers, up to the first segment that a viewer may not read. So the
 * history is read once with full access and cached; the viewer's rights only cut it.
 */
export async function readPathHistory(
  { svnHistories }: Pick<Context, 'svnHistories'>,
  session: SvnSession,
  browsed: Browsed,
  query: LogQuery,
): Promise<History> {
  if (query.path === '/') return everyRevision(query.from, query.to)
  if (query.to > query.from) return createHistory([])
  const { numbers, segments } = await loadCachedHistory(svnHistories, browsed, query)
  const allowed = await findReadablePaths(session, [...new Set(segments.map(({ path }) => path))])
  const unreadable = segments.find(({ path }) => !allowed.has(path))
  const oldest = Math.max(query.to, (unreadable?.to ?? 0) + 1)
  return createHistory(numbers.filter((revision) => revision >= oldest))
}

/** The history of the node at a path in a revision, back to its creation. */
interface CachedHistory {
  readonly from: number
  readonly numbers: readonly number[]
  /** The paths of the node over time, newest first. */
  readonly segments: readonly Segment[]
}

/** History is immutable, so a cached history of the same node serves any other revision of it. */
type HistoryCache = LRUCache<string, CachedHistory>

export function createHistoryCache(): HistoryCache {
  return new LRUCache({ max: 256 })
}

const MAX_CACHED_REVISIONS = 100_000

async function loadCachedHistory(cache: HistoryCache, browsed: Browsed, query: LogQuery): Promise<CachedHistory> {
  const key = await historyCacheKey(browsed, query)
  const cached = cache.get(key)
  const older = cached && sliceHistory(cached, query)
  if (older) return older
  const found = await withSession(browsed, 'whole', (session) => extendHistory(session, cached, query))
  cacheHistory(cache, key, found)
  return found
}

/** Cuts a cached history to an older revision; undefined if another node had the path then. */
function sliceHistory({ from, numbers, segments }: CachedHistory, query: LogQuery): CachedHistory | undefined {
  if (from < query.from || !hasSamePath(segments, query, query.from)) return undefined
  return {
    from: query.from,
    numbers: numbers.filter((revision) => revision <= query.from),
    segments: segments.filter((segment) => segment.from <= query.from),
  }
}

/** Requests only the newer revisions if the cached history belongs to the same node. */
async function extendHistory(
  session: SvnSession,
  cached: CachedHistory | undefined,
  query: LogQuery,
): Promise<CachedHistory> {
  const { path, from, stopOnCopy = false } = query
  const segments = await readSegments(session, path, from)
  const isMore = cached && cached.from < from && hasSamePath(segments, query, cached.from)
  const fresh = await readRevisionNumbers(session, { path, from, to: isMore ? cached.from + 1 : 1, stopOnCopy })
  return { from, numbers: isMore ? [...fresh, ...cached.numbers] : fresh, segments }
}

/** Whether the node had the same path in an older revision and, with `stopOnCopy`, no other path in between. */
function hasSamePath(segments: readonly Segment[], { path, stopOnCopy }: LogQuery, revision: number): boolean {
  const at = segments.findIndex((segment) => segment.from <= revision && revision <= segment.to)
  return segments[at]?.path === path && (stopOnCopy !== true || at === 0)
}

/** The UUID distinguishes a repository from a later one in the same folder. */
async function historyCacheKey({ folder }: Browsed, { path, stopOnCopy }: LogQuery): Promise<string> {
  return JSON.stringify([folder, await readFile(join(folder, 'db', 'uuid'), 'utf8'), path, stopOnCopy === true])
}

function cacheHistory(cache: HistoryCache, key: string, history: CachedHistory): void {
  if (history.numbers.length > MAX_CACHED_REVISIONS || (cache.peek(key)?.from ?? 0) > history.from) return
  cache.set(key, history)
}
