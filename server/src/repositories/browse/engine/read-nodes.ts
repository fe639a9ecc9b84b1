import { type Item, itemList, itemNumber, optionalItemText, itemText } from './items.ts'
import type { SvnCommand, SvnSession } from './session.ts'

export type NodeKind = 'dir' | 'file'

export interface SvnNode {
  readonly kind: NodeKind
  /** Null for directories. */
  readonly size: number | null
  readonly last_revision: number
  readonly last_date: Date | null
  readonly last_author: string | null
  readonly has_props: boolean
}

export interface DirectoryEntry extends SvnNode {
  readonly name: string
}

export type SvnProps = Readonly<Record<string, string>>

export async function readYoungest(session: SvnSession): Promise<number> {
  const [revision] = await session.ask('get-latest-rev')
  return itemNumber(revision)
}

/** Undefined if the node does not exist or is unreadable. */
export async function readNode(session: SvnSession, path: string, revision: number): Promise<SvnNode | undefined> {
  const [found] = await session.ask('stat', toWirePath(path), [revision])
  const [node] = itemList(found)
  return node === undefined ? undefined : parseNode(itemList(node))
}

/** Loads many nodes in one round trip, in their order. Undefined: absent or unreadable. */
export async function readNodes(
  session: SvnSession,
  wanted: readonly { path: string; revision: number }[],
): Promise<(SvnNode | undefined)[]> {
  const answers = await session.askEach(wanted.map(({ path, revision }) => ['stat', toWirePath(path), [revision]]))
  return answers.map((answer) => {
    const [node] = answer?.[0] === undefined ? [] : itemList(answer[0])
    return node === undefined ? undefined : parseNode(itemList(node))
  })
}

const DIRECTORY_FIELDS = ['kind', 'size', 'has-props', 'created-rev', 'time', 'last-author']

/** The entries of a directory: directories first, then by name. */
export async function readEntries(session: SvnSession, path: string, revision: number): Promise<DirectoryEntry[]> {
  const [, , found] = await session.ask('get-dir', toWirePath(path), [revision], 'false', 'true', DIRECTORY_FIELDS)
  const entries = itemList(found).map((entry) => {
    const [name, ...node] = itemList(entry)
    return { name: itemText(name), ...parseNode(node) }
  })
  return entries.toSorted(compareEntries)
}

export function compareEntries(
  one: Pick<DirectoryEntry, 'kind' | 'name'>,
  other: Pick<DirectoryEntry, 'kind' | 'name'>,
): number {
  if (one.kind !== other.kind) return one.kind === 'dir' ? -1 : 1
  return compareCodeUnits(one.name, other.name)
}

export function compareCodeUnits(one: string, other: string): number {
  return Number(one > other) - Number(one < other)
}

/** Loads the properties of many nodes in one round trip, in their order. */
export async function readProps(
  session: SvnSession,
  nodes: readonly { path: string; kind: NodeKind; has_props: boolean }[],
  revision: number,
): Promise<SvnProps[]> {
  const asked = nodes.filter(({ has_props }) => has_props)
  const questions = asked.map(
    ({ path, kind }): SvnCommand => [
      kind === 'dir' ? 'get-dir' : 'get-file',
      toWirePath(path),
      [revision],
      'true',
      'false',
    ],
  )
  const answers = await session.askAll(questions)
  const found = new Map(asked.map(({ path, kind }, at) => [path, parseProps(answers[at]?.[kind === 'dir' ? 1 : 2])]))
  return nodes.map(({ path }) => found.get(path) ?? {})
}

export async function readWholeFile(session: SvnSession, path: string, revision: number): Promise<Buffer> {
  return readFileStart(session, path, revision, Number.POSITIVE_INFINITY)
}

/**
 * The first bytes of a file. If the file is longer, the session is in the middle of a response and cannot be used
 * again.
 */
export async function readFileStart(
  session: SvnSession,
  path: string,
  revision: number,
  most: number,
): Promise<Buffer> {
  await session.ask('get-file', toWirePath(path), [revision], 'false', 'true')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of session.followingBytes()) {
    pieces.push(piece)
    size += piece.length
    if (size >= most) break
  }
  return Buffer.concat(pieces).subarray(0, Math.min(most, size))
}

/** The protocol uses paths relative to the repository root. */
export function toWirePath(path: string): Buffer {
  return Buffer.from(path.slice(1))
}

function parseNode([kind, size, hasProps, revision, date, author]: readonly Item[]): SvnNode {
  const isFolder = kind === 'dir'
  const written = optionalItemText(date)
  return {
    kind: isFolder ? 'dir' : 'file',
    size: isFolder ? null : itemNumber(size),
    has_props: hasProps === 'true',
    last_revision: itemNumber(revision),
    last_date: written === null ? null : new Date(written),
    last_author: optionalItemText(author),
  }
}

/** User-set properties by name; Subversion returns them unordered. Entry and working copy properties are dropped. */
function parseProps(item: Item | undefined): SvnProps {
  const all = itemList(item).map((pair) => {
    const [name, value] = itemList(pair)
    return [itemText(name), itemText(value)] as const
  })
  const set = all.filter(([name]) => !/^svn:(?:entry|wc):/.test(name))
  return Object.fromEntries(set.toSorted(([one], [other]) => compareCodeUnits(one, other)))
}
