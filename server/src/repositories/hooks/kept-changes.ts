import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChangedPath } from './changed-paths.ts'

/** One step of a commit on its way: the node, what was done to it, whether its text and properties were changed, its path. */
const STEP = /^\S+ (add|delete|replace|modify)-(file|dir) (true|false) (true|false)(?: true| false)? (\/.*)$/s
/** Below it, where the node was copied from, unless it is empty. */
const SOURCE = /^\d+ \//

/**
 * The paths of a commit on its way, from the file in which Subversion keeps its steps, as quickly as its properties
 * (`kept-properties.ts`). Undefined: it is kept in another way, and the tool has to be asked.
 */
export async function readKeptChanges(folder: string, name: string): Promise<ChangedPath[] | undefined> {
  if (!/^[\w-]+$/.test(name)) return undefined
  const text = await readFile(join(folder, 'db', 'transactions', `${name}.txn`, 'changes'), 'utf8').catch(
    () => undefined,
  )
  return text === undefined ? undefined : foldSteps(text)
}

type Op = ChangedPath['op'] | 'replaced' | 'none'

/** What the steps come to, one after the other: a file that is added and then written is added. */
function foldSteps(text: string): ChangedPath[] | undefined {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.length % 2 !== 0) return undefined
  const paths = new Map<string, { op: Op; isDirectory: boolean }>()
  for (let at = 0; at < lines.length; at += 2) {
    const [, action, kind, text_changed, properties_changed, path] = STEP.exec(lines[at] ?? '') ?? []
    if (path === undefined || action === undefined || !isSource(lines[at + 1] ?? '')) return undefined
    if (action === 'modify' && text_changed === 'false' && properties_changed === 'false') continue
    const isDirectory = kind === 'dir'
    // What was done below it before went with it.
    if (action === 'delete' || action === 'replace')
      for (const other of paths.keys()) if (other.startsWith(`${path}/`)) paths.delete(other)
    paths.set(path, { op: after(paths.get(path)?.op ?? 'none', action), isDirectory })
  }
  return [...paths].flatMap(([path, { op, isDirectory }]) => opsOf(op).map((each) => ({ path, op: each, isDirectory })))
}

function isSource(line: string): boolean {
  return line === '' || SOURCE.test(line)
}

function after(before: Op, action: string): Op {
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

function opsOf(op: Op): ChangedPath['op'][] {
  if (op === 'replaced') return ['deleted', 'added']
  return op === 'none' ? [] : [op]
}
