import { type Item, listIn, numberIn, optionalText, textIn } from './items.ts'
import { compareTexts, onWire } from './read-nodes.ts'
import { type Browsed, type SvnSession, withSession } from './session.ts'

export type Operation = 'added' | 'modified' | 'deleted' | 'replaced'

export interface ChangedPath {
  readonly path: string
  readonly op: Operation
  readonly copied_from: { readonly path: string; readonly revision: number } | null
}

/** As much of a revision as a person may know. */
export interface Logged {
  readonly revision: number
  readonly author: string | null
  readonly date: Date | null
  readonly message: string | null
  readonly paths: readonly ChangedPath[]
}

/** `some`: there are paths that are not shown; `none`: all that is known is that there is such a revision. */
export interface Seen extends Logged {
  readonly sight: 'all' | 'some' | 'none'
}

export interface Asked {
  readonly path: string
  /** The newest: the path is what is there then. */
  readonly from: number
  readonly to: number
  readonly limit?: number
  readonly stopOnCopy?: boolean
}

const OPERATIONS: Readonly<Record<string, Operation>> = { A: 'added', M: 'modified', D: 'deleted', R: 'replaced' }
const PROPS = ['svn:author', 'svn:date', 'svn:log'].map((name) => Buffer.from(name))

/** Parts of the history of a path, newest first, with what changed in each revision. */
export async function readLog(session: SvnSession, browsed: Browsed, parts: readonly Asked[]): Promise<Seen[]> {
  if (parts.some(({ path }) => path === '/') && !(await readable(session, ['/'])).has('/'))
    return withSession(browsed, 'whole', async (whole) => conceal(session, await readParts(whole, parts)))
  return judge(browsed, await readParts(session, parts))
}

/** All revisions, without their paths where nobody needs them. */
export async function scanLog(session: SvnSession, browsed: Browsed, youngest: number): Promise<readonly Logged[]> {
  const asked = { path: '/', from: youngest, to: 1 }
  if (youngest === 0) return []
  if (!(await readable(session, ['/'])).has('/')) return readLog(session, browsed, [asked])
  return Array.fromAsync(readEntries(session, asked, 'with_texts'))
}

async function readParts(session: SvnSession, parts: readonly Asked[]): Promise<Logged[]> {
  const logged: Logged[] = []
  for (const asked of parts) logged.push(...(await Array.fromAsync(readEntries(session, asked, 'with_paths'))))
  return logged
}

/** Which of these paths the access file lets a person read, whether there is anything or not. */
export async function readable(session: SvnSession, paths: readonly string[]): Promise<Set<string>> {
  const answers = await session.askEach(paths.map((path) => ['stat', onWire(path), [0]]))
  return new Set(paths.filter((_, at) => answers[at]))
}

/** Svnserve refuses the log of a root that is denied; here Subversion's rule is followed path by path. */
async function conceal(session: SvnSession, logged: readonly Logged[]): Promise<Seen[]> {
  const touched = logged.flatMap(({ paths }) => paths.flatMap((one) => [one.path, one.copied_from?.path ?? one.path]))
  const known = await readable(session, [...new Set(touched)])
  return logged.map((entry) => {
    const shown = entry.paths.filter(({ path }) => known.has(path))
    const isDark = ({ copied_from }: ChangedPath) => copied_from !== null && !known.has(copied_from.path)
    if (shown.length === entry.paths.length && !shown.some(isDark)) return { ...entry, sight: 'all' }
    if (shown.length === 0) return { ...entry, author: null, date: null, message: null, paths: [], sight: 'none' }
    const paths = shown.map((one) => (isDark(one) ? { ...one, copied_from: null } : one))
    return { ...entry, message: null, paths, sight: 'some' }
  })
}

/** The same, as bare numbers. */
export async function readRevisionNumbers(session: SvnSession, asked: Asked): Promise<number[]> {
  const logged = await Array.fromAsync(readEntries(session, asked, 'bare'))
  return logged.map(({ revision }) => revision)
}

/** Where something was, from one revision to another. */
export interface Segment {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** Where what has this path in a revision was before, newest first. */
export async function readSegments(session: SvnSession, path: string, revision: number): Promise<Segment[]> {
  const asked = session.askForMany('get-location-segments', onWire(path), [revision], [revision], [0])
  const segments: Segment[] = []
  for await (const [from, to, place] of asked) {
    const [there] = listIn(place)
    // Where it was nowhere there is no path.
    if (there !== undefined) segments.push({ path: absolute(textIn(there)), from: numberIn(from), to: numberIn(to) })
  }
  return segments
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/${path}`
}

/** Where what has this path in one revision was in an older one. */
export async function locate(
  session: SvnSession,
  path: string,
  at: { revision: number; older: number },
): Promise<string | undefined> {
  let found: string | undefined
  for await (const [, place] of session.askForMany('get-locations', onWire(path), at.revision, [at.older]))
    found = textIn(place)
  return found
}

async function* readEntries(
  session: SvnSession,
  { path, from, to, limit = 0, stopOnCopy = false }: Asked,
  how: 'with_paths' | 'with_texts' | 'bare',
): AsyncGenerator<Logged> {
  const entries = session.askForMany(
    'log',
    [onWire(path)],
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
    const on = optionalText(date)
    yield {
      revision: numberIn(revision),
      author: optionalText(author),
      date: on === null ? null : new Date(on),
      message: optionalText(message),
      paths: listIn(paths)
        .map((changed) => changeIn(listIn(changed)))
        .toSorted((one, other) => compareTexts(one.path, other.path)),
    }
  }
}

function changeIn([path, letter, copy]: readonly Item[]): ChangedPath {
  const [source, revision] = listIn(copy)
  const op = typeof letter === 'string' ? OPERATIONS[letter] : undefined
  return {
    path: textIn(path),
    op: op ?? 'modified',
    copied_from: source === undefined ? null : { path: textIn(source), revision: numberIn(revision) },
  }
}

/**
 * Subversion leaves out what a person may not see and does not say that it did. A message that is missing is a sign, but a
 * revision may have none: then what the server itself sees decides.
 */
async function judge(browsed: Browsed, logged: readonly Logged[]): Promise<Seen[]> {
  const doubtful = logged.filter(({ message, revision }) => message === null && revision > 0)
  const whole = doubtful.length === 0 ? new Map<number, Logged>() : await readWhole(browsed, doubtful)
  return logged.map((seen) => ({ ...seen, sight: sightOf(seen, whole.get(seen.revision) ?? seen) }))
}

async function readWhole(browsed: Browsed, logged: readonly Logged[]): Promise<Map<number, Logged>> {
  const wanted = logged.map(({ revision }) => revision)
  return withSession(browsed, 'whole', async (session) => {
    const found = new Map<number, Logged>()
    for (const revision of wanted)
      for await (const entry of readEntries(session, { path: '/', from: revision, to: revision }, 'with_paths'))
        found.set(revision, entry)
    return found
  })
}

function sightOf(seen: Logged, whole: Logged): Seen['sight'] {
  if (seen.date === null && whole.date !== null) return 'none'
  if (seen.message === null && whole.message !== null) return 'some'
  const copies = (entry: Logged) => entry.paths.filter(({ copied_from }) => copied_from).length
  const isAll = seen.paths.length === whole.paths.length && copies(seen) === copies(whole)
  return isAll ? 'all' : seen.paths.length === 0 ? 'none' : 'some'
}
