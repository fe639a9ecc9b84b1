import { type Item, listIn, numberIn, optionalText, textIn } from './items.ts'
import type { Command, SvnSession } from './session.ts'

export type NodeKind = 'dir' | 'file'

export interface Node {
  readonly kind: NodeKind
  /** Null: it is a directory. */
  readonly size: number | null
  readonly last_revision: number
  readonly last_date: Date | null
  readonly last_author: string | null
  readonly has_props: boolean
}

export interface Entry extends Node {
  readonly name: string
}

export type Props = Readonly<Record<string, string>>

export async function readYoungest(session: SvnSession): Promise<number> {
  const [revision] = await session.ask('get-latest-rev')
  return numberIn(revision)
}

/** Undefined: there is none. One that may not be read is not found. */
export async function readNode(session: SvnSession, path: string, revision: number): Promise<Node | undefined> {
  const [found] = await session.ask('stat', onWire(path), [revision])
  const [node] = listIn(found)
  return node === undefined ? undefined : nodeIn(listIn(node))
}

/** Of many at once, in their order. Undefined: there is none, or it may not be read. */
export async function readNodes(
  session: SvnSession,
  wanted: readonly { path: string; revision: number }[],
): Promise<(Node | undefined)[]> {
  const answers = await session.askEach(wanted.map(({ path, revision }) => ['stat', onWire(path), [revision]]))
  return answers.map((answer) => {
    const [node] = answer?.[0] === undefined ? [] : listIn(answer[0])
    return node === undefined ? undefined : nodeIn(listIn(node))
  })
}

const FIELDS = ['kind', 'size', 'has-props', 'created-rev', 'time', 'last-author']

/** What stands in a directory, directories first, by name. */
export async function readEntries(session: SvnSession, path: string, revision: number): Promise<Entry[]> {
  const [, , found] = await session.ask('get-dir', onWire(path), [revision], 'false', 'true', FIELDS)
  const entries = listIn(found).map((entry) => {
    const [name, ...node] = listIn(entry)
    return { name: textIn(name), ...nodeIn(node) }
  })
  return entries.toSorted(compareEntries)
}

export function compareEntries(one: Pick<Entry, 'kind' | 'name'>, other: Pick<Entry, 'kind' | 'name'>): number {
  if (one.kind !== other.kind) return one.kind === 'dir' ? -1 : 1
  return compareTexts(one.name, other.name)
}

export function compareTexts(one: string, other: string): number {
  return Number(one > other) - Number(one < other)
}

/** Of many nodes at once, in their order. */
export async function readProps(
  session: SvnSession,
  nodes: readonly { path: string; kind: NodeKind; has_props: boolean }[],
  revision: number,
): Promise<Props[]> {
  const asked = nodes.filter(({ has_props }) => has_props)
  const questions = asked.map(
    ({ path, kind }): Command => [kind === 'dir' ? 'get-dir' : 'get-file', onWire(path), [revision], 'true', 'false'],
  )
  const answers = await session.askAll(questions)
  const found = new Map(asked.map(({ path, kind }, at) => [path, propsIn(answers[at]?.[kind === 'dir' ? 1 : 2])]))
  return nodes.map(({ path }) => found.get(path) ?? {})
}

/** A whole file. */
export async function readText(session: SvnSession, path: string, revision: number): Promise<Buffer> {
  return readBytes(session, path, revision, Number.POSITIVE_INFINITY)
}

/** The first bytes of a file. Where that is not all, nothing else may be asked: the session is in the middle of an answer. */
export async function readBytes(session: SvnSession, path: string, revision: number, most: number): Promise<Buffer> {
  await session.ask('get-file', onWire(path), [revision], 'false', 'true')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of session.followingBytes()) {
    pieces.push(piece)
    size += piece.length
    if (size >= most) break
  }
  return Buffer.concat(pieces).subarray(0, Math.min(most, size))
}

/** Paths are relative there, to the root of the repository. */
export function onWire(path: string): Buffer {
  return Buffer.from(path.slice(1))
}

function nodeIn([kind, size, hasProps, revision, date, author]: readonly Item[]): Node {
  const isFolder = kind === 'dir'
  const written = optionalText(date)
  return {
    kind: isFolder ? 'dir' : 'file',
    size: isFolder ? null : numberIn(size),
    has_props: hasProps === 'true',
    last_revision: numberIn(revision),
    last_date: written === null ? null : new Date(written),
    last_author: optionalText(author),
  }
}

/** Those that people set, by name: Subversion has no order for them. The others say what is known already. */
function propsIn(item: Item | undefined): Props {
  const all = listIn(item).map((pair) => {
    const [name, value] = listIn(pair)
    return [textIn(name), textIn(value)] as const
  })
  const set = all.filter(([name]) => !/^svn:(?:entry|wc):/.test(name))
  return Object.fromEntries(set.toSorted(([one], [other]) => compareTexts(one, other)))
}
