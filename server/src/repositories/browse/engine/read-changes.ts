import { type Item, itemText } from './items.ts'
import { type DirectoryEntry, type SvnNode, type NodeKind, readEntries, readNodes } from './read-nodes.ts'
import type { SvnSession } from './session.ts'

/** A node that differs between two revisions. */
export interface NodeChange {
  readonly path: string
  readonly kind: NodeKind
  readonly op: 'added' | 'modified' | 'deleted' | 'replaced'
}

export interface RevisionRange {
  readonly path: string
  readonly from: number
  readonly to: number
}

/**
 * Changed files, and directories with changed properties, below a path, in no order. The svn client is not used here:
 * it requests the parent directory of a file or of a node that one side lacks, which the viewer may not be allowed to
 * read.
 */
export async function readNodeChanges(
  session: SvnSession,
  { path, from, to }: RevisionRange,
  { old, fresh }: { readonly old: SvnNode | undefined; readonly fresh: SvnNode | undefined },
  most: number,
): Promise<NodeChange[]> {
  if (old?.kind === 'file' && fresh?.kind === 'file') return [{ path, kind: 'file', op: 'modified' }]
  if (old?.kind === 'dir' && fresh?.kind === 'dir') return compareFolders(session, { path, from, to }, most)
  return mergeReplaced(old && fresh ? [path] : [], [
    ...(old ? await listTreeChanges(session, { ...old, path }, { revision: from, op: 'deleted', most }) : []),
    ...(fresh ? await listTreeChanges(session, { ...fresh, path }, { revision: to, op: 'added', most }) : []),
  ])
}

interface PlacedNode extends SvnNode {
  readonly path: string
}

interface WholeTree {
  readonly revision: number
  readonly op: 'added' | 'deleted'
  readonly most: number
}

/** Returns one more than the limit, if there is one, to signal truncation. */
async function listTreeChanges(
  session: SvnSession,
  node: PlacedNode,
  { revision, op, most }: WholeTree,
): Promise<NodeChange[]> {
  const found: NodeChange[] = []
  for await (const { path, kind, has_props } of walkTree(session, node, revision)) {
    if (kind === 'file' || has_props) found.push({ path, kind, op })
    if (found.length > most) break
  }
  return found
}

async function* walkTree(session: SvnSession, node: PlacedNode, revision: number): AsyncGenerator<PlacedNode> {
  yield node
  if (node.kind === 'file') return
  for (const entry of await readEntries(session, node.path, revision))
    yield* walkTree(session, { ...entry, path: joinPath(node.path, entry.name) }, revision)
}

/** Replays the editor commands of svnserve, which omits unreadable paths. */
async function compareFolders(
  session: SvnSession,
  { path, from, to }: RevisionRange,
  most: number,
): Promise<NodeChange[]> {
  await session.ask('reparent', session.urlFor(path))
  const commands = session.askForEdit(
    ['diff', [to], Buffer.alloc(0), 'true', 'true', session.urlFor(path), 'false', 'infinity'],
    from,
  )
  const edited = new EditRecorder()
  for await (const [command, params] of commands) edited.take(command, params)
  await session.ask('reparent', session.urlFor('/'))
  // Svnserve reports deletions of unreadable paths too, and does not list their children.
  const deleted = edited.deleted.map((each) => joinPath(path, each))
  const there = await readNodes(
    session,
    deleted.map((each) => ({ path: each, revision: from })),
  )
  const gone: NodeChange[] = []
  for (const [at, node] of there.entries())
    if (node && gone.length <= most)
      gone.push(
        ...(await listTreeChanges(
          session,
          { ...node, path: deleted[at] ?? '' },
          { revision: from, op: 'deleted', most },
        )),
      )
  const changed = edited.changed().map((change) => ({ ...change, path: joinPath(path, change.path) }))
  return mergeReplaced(
    edited.replaced().map((each) => joinPath(path, each)),
    [...gone, ...changed],
  )
}

/** Records editor commands. Paths are relative to the root of the edit. */
class EditRecorder {
  readonly deleted: string[] = []
  readonly #open = new Map<string, { path: string; kind: NodeKind; op: 'added' | 'modified'; isChanged: boolean }>()

  take(command: string, [first, second, third]: readonly Item[]): void {
    if (command === 'delete-entry') this.deleted.push(itemText(first))
    else if (command === 'open-root') this.#begin(second, { path: '', kind: 'dir', op: 'modified' })
    else if (command === 'add-dir') this.#begin(third, { path: itemText(first), kind: 'dir', op: 'added' })
    else if (command === 'open-dir') this.#begin(third, { path: itemText(first), kind: 'dir', op: 'modified' })
    else if (command === 'add-file') this.#begin(third, { path: itemText(first), kind: 'file', op: 'added' })
    else if (command === 'open-file') this.#begin(third, { path: itemText(first), kind: 'file', op: 'modified' })
    else if (command === 'apply-textdelta') this.#change(first)
    else if (/^change-(?:dir|file)-prop$/.test(command) && !OWN_PROP.test(itemText(second))) this.#change(first)
  }

  changed(): NodeChange[] {
    return [...this.#open.values()].filter(({ isChanged }) => isChanged)
  }

  replaced(): string[] {
    const added = new Set([...this.#open.values()].filter(({ op }) => op === 'added').map(({ path }) => path))
    return this.deleted.filter((path) => added.has(path))
  }

  #begin(token: Item | undefined, opened: { path: string; kind: NodeKind; op: 'added' | 'modified' }): void {
    this.#open.set(itemText(token), { ...opened, isChanged: opened.op === 'added' && opened.kind === 'file' })
  }

  #change(token: Item | undefined): void {
    const opened = this.#open.get(itemText(token))
    if (opened) opened.isChanged = true
  }
}

/** Entry and working copy properties change with every revision and are not user data. */
const OWN_PROP = /^svn:(?:entry|wc):/

/** A file replaced by a directory, or the reverse, is one change, represented by the file. */
function mergeReplaced(replaced: readonly string[], changes: readonly NodeChange[]): NodeChange[] {
  const found = new Map<string, NodeChange>()
  for (const change of changes) if (found.get(change.path)?.kind !== 'file') found.set(change.path, change)
  for (const path of replaced) {
    const change = found.get(path)
    if (change) found.set(path, { ...change, op: 'replaced' })
  }
  return [...found.values()]
}

function joinPath(folder: string, name: DirectoryEntry['name']): string {
  return name === '' ? folder : `${folder === '/' ? '' : folder}/${name}`
}
