import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ChangedPath {
  readonly path: string
  readonly op: 'added' | 'modified' | 'deleted'
  readonly isDirectory: boolean
}

/** One step of a transaction: node, action, whether text and properties changed, path. */
const CHANGE_LINE = /^\S+ (add|delete|replace|modify)-(file|dir) (true|false) (true|false)(?: true| false)? (\/.*)$/s
/** The line below it: the copy source, or empty. */
const SOURCE = /^\d+ \//

/**
 * Reads the changed paths of a transaction from Subversion's own file, as fast as its properties
 * (`commit-properties.ts`). Undefined if the format is unknown; the caller then runs svnlook.
 */
export async function readTransactionChanges(folder: string, name: string): Promise<ChangedPath[] | undefined> {
  if (!/^[\w-]+$/.test(name)) return undefined
  const text = await readFile(join(folder, 'db', 'transactions', `${name}.txn`, 'changes'), 'utf8').catch(
    () => undefined,
  )
  return text === undefined ? undefined : foldSteps(text)
}

type Op = ChangedPath['op'] | 'replaced' | 'none'

/** Folds the steps in order: a file that is added and then modified counts as added. */
function foldSteps(text: string): ChangedPath[] | undefined {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.length % 2 !== 0) return undefined
  const paths = new Map<string, { op: Op; isDirectory: boolean }>()
  for (let at = 0; at < lines.length; at += 2) {
    const [, action, kind, text_changed, properties_changed, path] = CHANGE_LINE.exec(lines[at] ?? '') ?? []
    if (path === undefined || action === undefined || !isSource(lines[at + 1] ?? '')) return undefined
    if (action === 'modify' && text_changed === 'false' && properties_changed === 'false') continue
    const isDirectory = kind === 'dir'
    // Deleting or replacing a folder discards earlier steps below it.
    if (action === 'delete' || action === 'replace')
      for (const other of paths.keys()) if (other.startsWith(`${path}/`)) paths.delete(other)
    paths.set(path, { op: nextOperation(paths.get(path)?.op ?? 'none', action), isDirectory })
  }
  return [...paths].flatMap(([path, { op, isDirectory }]) =>
    toPathOperations(op).map((each) => ({ path, op: each, isDirectory })),
  )
}

function isSource(line: string): boolean {
  return line === '' || SOURCE.test(line)
}

function nextOperation(before: Op, action: string): Op {
  switch (action) {
    case 'add':
      return before === 'deleted' ? 'replaced' : 'added'
    case 'delete':
      return before === 'added' ? 'none' : 'deleted'
    case 'replace':
      return before === 'added' ? 'added' : 'replaced'
    case 'modify':
    default:
      return before === 'none' ? 'modified' : before
  }
}

function toPathOperations(op: Op): ChangedPath['op'][] {
  if (op === 'replaced') return ['deleted', 'added']
  return op === 'none' ? [] : [op]
}
