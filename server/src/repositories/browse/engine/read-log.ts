import { type Item, itemList, itemNumber, optionalItemText, itemText } from './items.ts'
import { compareCodeUnits, toWirePath } from './read-nodes.ts'
import { type Browsed, type SvnSession, withSession } from './session.ts'

export type ChangeOperation = 'added' | 'modified' | 'deleted' | 'replaced'

export interface LoggedPath {
  readonly path: string
  readonly op: ChangeOperation
  readonly copied_from: { readonly path: string; readonly revision: number } | null
}

/** The visible part of a revision. */
export interface LogEntry {
  readonly revision: number
  readonly author: string | null
  readonly date: Date | null
  readonly message: string | null
  readonly paths: readonly LoggedPath[]
}

/** `some`: a part of the paths is hidden; `none`: only the number is visible. */
export interface VisibleRevision extends LogEntry {
  readonly access: 'all' | 'some' | 'none'
}

export interface LogQuery {
  readonly path: string
  /** The newest revision; `path` is resolved there. */
  readonly from: number
  readonly to: number
  readonly limit?: number
  readonly stopOnCopy?: boolean
}

const OPERATIONS: Readonly<Record<string, ChangeOperation>> = { A: 'added', M: 'modified', D: 'deleted', R: 'replaced' }
const PROPS = ['svn:author', 'svn:date', 'svn:log'].map((name) => Buffer.from(name))

/** Pages of the history of a path, newest first, with the changed paths of each revision. */
export async function readLog(
  session: SvnSession,
  browsed: Browsed,
  parts: readonly LogQuery[],
): Promise<VisibleRevision[]> {
  if (parts.some(({ path }) => path === '/') && !(await findReadablePaths(session, ['/'])).has('/'))
    return withSession(browsed, 'whole', async (whole) =>
      hideUnreadablePaths(session, await readLogParts(whole, parts)),
    )
  return addVisibility(browsed, await readLogParts(session, parts))
}

/** All revisions; without paths unless they are needed. */
export async function scanLog(session: SvnSession, browsed: Browsed, youngest: number): Promise<readonly LogEntry[]> {
  const query = { path: '/', from: youngest, to: 1 }
  if (youngest === 0) return []
  if (!(await findReadablePaths(session, ['/'])).has('/')) return readLog(session, browsed, [query])
  return Array.fromAsync(readLogEntries(session, query, 'with_texts'))
}

async function readLogParts(session: SvnSession, parts: readonly LogQuery[]): Promise<LogEntry[]> {
  const logged: LogEntry[] = []
  for (const query of parts) logged.push(...(await Array.fromAsync(readLogEntries(session, query, 'with_paths'))))
  return logged
}

/** The paths that the access file lets the viewer read, whether or not they exist. */
export async function findReadablePaths(session: SvnSession, paths: readonly string[]): Promise<Set<string>> {
  const answers = await session.askEach(paths.map((path) => ['stat', toWirePath(path), [0]]))
  return new Set(paths.filter((_, at) => answers[at]))
}

/** Svnserve refuses the log of an unreadable root, so Subversion's rule is applied here path by path. */
async function hideUnreadablePaths(session: SvnSession, logged: readonly LogEntry[]): Promise<VisibleRevision[]> {
  const touched = logged.flatMap(({ paths }) => paths.flatMap((one) => [one.path, one.copied_from?.path ?? one.path]))
  const known = await findReadablePaths(session, [...new Set(touched)])
  return logged.map((entry) => {
    const shown = entry.paths.filter(({ path }) => known.has(path))
    const isSourceHidden = ({ copied_from }: LoggedPath) => copied_from !== null && !known.has(copied_from.path)
    if (shown.length === entry.paths.length && !shown.some(isSourceHidden)) return { ...entry, access: 'all' }
    if (shown.length === 0) return { ...entry, author: null, date: null, message: null, paths: [], access: 'none' }
    const paths = shown.map((one) => (isSourceHidden(one) ? { ...one, copied_from: null } : one))
    return { ...entry, message: null, paths, access: 'some' }
  })
}

/** The same as revision numbers only. */
export async function readRevisionNumbers(session: SvnSession, query: LogQuery): Promise<number[]> {
  const logged = await Array.fromAsync(readLogEntries(session, query, 'bare'))
  return logged.map(({ revision }) => revision)
}

/** The path of a node over a range of revisions. */
export interface Segment {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** The former paths of the node at this path and revision, newest first. */
export async function readSegments(session: SvnSession, path: string, revision: number): Promise<Segment[]> {
  const query = session.askForMany('get-location-segments', toWirePath(path), [revision], [revision], [0])
  const segments: Segment[] = []
  for await (const [from, to, place] of query) {
    const [there] = itemList(place)
    // A gap in which the node did not exist has no path.
    if (there !== undefined)
      segments.push({ path: toAbsolutePath(itemText(there)), from: itemNumber(from), to: itemNumber(to) })
  }
  return segments
}

function toAbsolutePath(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

/** The path that the node had in an older revision. */
export async function locate(
  session: SvnSession,
  path: string,
  at: { revision: number; older: number },
): Promise<string | undefined> {
  let found: string | undefined
  for await (const [, place] of session.askForMany('get-locations', toWirePath(path), at.revision, [at.older]))
    found = itemText(place)
  return found
}

async function* readLogEntries(
  session: SvnSession,
  { path, from, to, limit = 0, stopOnCopy = false }: LogQuery,
  how: 'with_paths' | 'with_texts' | 'bare',
): AsyncGenerator<LogEntry> {
  const entries = session.askForMany(
    'log',
    [toWirePath(path)],
    [from],
    [to],
    String(how === 'with_paths'),
    String(stopOnCopy),
    limit,
    'false',
    'revprops',
    how === 'bare' ? [] : PROPS,
  )
  for await (const [paths, revision, author, date, message] of entries) {
    const on = optionalItemText(date)
    yield {
      revision: itemNumber(revision),
      author: optionalItemText(author),
      date: on === null ? null : new Date(on),
      message: optionalItemText(message),
      paths: itemList(paths)
        .map((changed) => parseLoggedPath(itemList(changed)))
        .toSorted((one, other) => compareCodeUnits(one.path, other.path)),
    }
  }
}

function parseLoggedPath([path, letter, copy]: readonly Item[]): LoggedPath {
  const [source, revision] = itemList(copy)
  const op = typeof letter === 'string' ? OPERATIONS[letter] : undefined
  return {
    path: itemText(path),
    op: op ?? 'modified',
    copied_from: source === undefined ? null : { path: itemText(source), revision: itemNumber(revision) },
  }
}

/**
 * Subversion omits unreadable paths silently. A missing message is a hint, but a revision may have none: then compare
 * with the log that the server reads with full access.
 */
async function addVisibility(browsed: Browsed, logged: readonly LogEntry[]): Promise<VisibleRevision[]> {
  const doubtful = logged.filter(({ message, revision }) => message === null && revision > 0)
  const whole = doubtful.length === 0 ? new Map<number, LogEntry>() : await readUnfilteredEntries(browsed, doubtful)
  return logged.map((seen) => ({ ...seen, access: accessOf(seen, whole.get(seen.revision) ?? seen) }))
}

async function readUnfilteredEntries(browsed: Browsed, logged: readonly LogEntry[]): Promise<Map<number, LogEntry>> {
  const wanted = logged.map(({ revision }) => revision)
  return withSession(browsed, 'whole', async (session) => {
    const found = new Map<number, LogEntry>()
    for (const revision of wanted)
      for await (const entry of readLogEntries(session, { path: '/', from: revision, to: revision }, 'with_paths'))
        found.set(revision, entry)
    return found
  })
}

function accessOf(seen: LogEntry, whole: LogEntry): VisibleRevision['access'] {
  if (seen.date === null && whole.date !== null) return 'none'
  if (seen.message === null && whole.message !== null) return 'some'
  const copies = (entry: LogEntry) => entry.paths.filter(({ copied_from }) => copied_from).length
  const isAll = seen.paths.length === whole.paths.length && copies(seen) === copies(whole)
  return isAll ? 'all' : seen.paths.length === 0 ? 'none' : 'some'
}
