import { type Item, textIn } from './items.ts'
import { type Entry, type Node, type NodeKind, readEntries, readNodes } from './read-nodes.ts'
import type { SvnSession } from './session.ts'

/** Something that is not the same in two revisions. */
export interface Change {
  readonly path: string
  readonly kind: NodeKind
  readonly op: 'added' | 'modified' | 'deleted' | 'replaced'
}

export interface Sides {
  readonly path: string
  readonly from: number
  readonly to: number
}

/**
 * What has changed below a path, in no order: files, and directories whose properties have. Subversion's client would ask for
 * the directory above what one side lacks, and above a file, which not everybody who may read these may read.
 */
export async function readChanges(
  session: SvnSession,
  { path, from, to }: Sides,
  { old, fresh }: { readonly old: Node | undefined; readonly fresh: Node | undefined },
  most: number,
): Promise<Change[]> {
  if (old?.kind === 'file' && fresh?.kind === 'file') return [{ path, kind: 'file', op: 'modified' }]
  if (old?.kind === 'dir' && fresh?.kind === 'dir') return compareFolders(session, { path, from, to }, most)
  return merged(old && fresh ? [path] : [], [
    ...(old ? await wholeOf(session, { ...old, path }, { revision: from, op: 'deleted', most }) : []),
    ...(fresh ? await wholeOf(session, { ...fresh, path }, { revision: to, op: 'added', most }) : []),
  ])
}

interface Placed extends Node {
  readonly path: string
}

interface Whole {
  readonly revision: number
  readonly op: 'added' | 'deleted'
  readonly most: number
}

/** One more than are wanted, if there are, so that it is known that there are. */
async function wholeOf(session: SvnSession, node: Placed, { revision, op, most }: Whole): Promise<Change[]> {
  const found: Change[] = []
  for await (const { path, kind, has_props } of walk(session, node, revision)) {
    if (kind === 'file' || has_props) found.push({ path, kind, op })
    if (found.length > most) break
  }
  return found
}

async function* walk(session: SvnSession, node: Placed, revision: number): AsyncGenerator<Placed> {
  yield node
  if (node.kind === 'file') return
  for (const entry of await readEntries(session, node.path, revision))
    yield* walk(session, { ...entry, path: below(node.path, entry.name) }, revision)
}

/** Svnserve tells how to make one revision of the other, and leaves out what may not be read. */
async function compareFolders(session: SvnSession, { path, from, to }: Sides, most: number): Promise<Change[]> {
  await session.ask('reparent', session.addressOf(path))
  const told = session.askForEdit(
    ['diff', [to], Buffer.alloc(0), 'true', 'true', session.addressOf(path), 'false', 'infinity'],
    from,
  )
  const edited = new Edited()
  for await (const [command, params] of told) edited.take(command, params)
  await session.ask('reparent', session.addressOf('/'))
  // That something is deleted is told also of what may not be read, and without what lies below.
  const deleted = edited.deleted.map((each) => below(path, each))
  const there = await readNodes(
    session,
    deleted.map((each) => ({ path: each, revision: from })),
  )
  const gone: Change[] = []
  for (const [at, node] of there.entries())
    if (node && gone.length <= most)
      gone.push(
        ...(await wholeOf(session, { ...node, path: deleted[at] ?? '' }, { revision: from, op: 'deleted', most })),
      )
  const changed = edited.changed().map((change) => ({ ...change, path: below(path, change.path) }))
  return merged(
    edited.replaced().map((each) => below(path, each)),
    [...gone, ...changed],
  )
}

/** What an edit says, one command after the other. Paths are relative to where it begins. */
class Edited {
  readonly deleted: string[] = []
  readonly #open = new Map<string, { path: string; kind: NodeKind; op: 'added' | 'modified'; isChanged: boolean }>()

  take(command: string, [first, second, third]: readonly Item[]): void {
    if (command === 'delete-entry') this.deleted.push(textIn(first))
    else if (command === 'open-root') this.#begin(second, { path: '', kind: 'dir', op: 'modified' })
    else if (command === 'add-dir') this.#begin(third, { path: textIn(first), kind: 'dir', op: 'added' })
    else if (command === 'open-dir') this.#begin(third, { path: textIn(first), kind: 'dir', op: 'modified' })
    else if (command === 'add-file') this.#begin(third, { path: textIn(first), kind: 'file', op: 'added' })
    else if (command === 'open-file') this.#begin(third, { path: textIn(first), kind: 'file', op: 'modified' })
    else if (command === 'apply-textdelta') this.#change(first)
    else if (/^change-(?:dir|file)-prop$/.test(command) && !OWN_PROP.test(textIn(second))) this.#change(first)
  }

  changed(): Change[] {
    return [...this.#open.values()].filter(({ isChanged }) => isChanged)
  }

  replaced(): string[] {
    const added = new Set([...this.#open.values()].filter(({ op }) => op === 'added').map(({ path }) => path))
    return this.deleted.filter((path) => added.has(path))
  }

  #begin(token: Item | undefined, opened: { path: string; kind: NodeKind; op: 'added' | 'modified' }): void {
    this.#open.set(textIn(token), { ...opened, isChanged: opened.op === 'added' && opened.kind === 'file' })
  }

  #change(token: Item | undefined): void {
    const opened = this.#open.get(textIn(token))
    if (opened) opened.isChanged = true
  }
}

/** Which say what is known already, and change with every revision. */
const OWN_PROP = /^svn:(?:entry|wc):/

/** A file in the place of a directory, or the other way round, is one change: the file has the lines. */
function merged(replaced: readonly string[], changes: readonly Change[]): Change[] {
  const found = new Map<string, Change>()
  for (const change of changes) if (found.get(change.path)?.kind !== 'file') found.set(change.path, change)
  for (const path of replaced) {
    const change = found.get(path)
    if (change) found.set(path, { ...change, op: 'replaced' })
  }
  return [...found.values()]
}

function below(folder: string, name: Entry['name']): string {
  return name === '' ? folder : `${folder === '/' ? '' : folder}/${name}`
}
