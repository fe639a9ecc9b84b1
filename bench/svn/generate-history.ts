import type { DumpedNode, DumpedRevision } from '../../server/src/repositories/disk/svn-dump.ts'

const FOLDERS = 20
const FILES = 100
const LINES = 100

/** A typical history: one file per revision, occasional branches, and a restricted path. */
export function generateHistory(size: number): DumpedRevision[] {
  const texts = new Map<string, string[]>()
  return Array.from({ length: size }, (_, at) => {
    const revision = at + 1
    return {
      author: revision % 3 === 0 ? 'tom' : 'mara',
      message: `Change ${revision}, see art #${revision}`,
      date: new Date(Date.UTC(2020, 0, 1) + revision * 60_000),
      nodes: revision === 1 ? layout() : changes(revision, texts),
    }
  })
}

function layout(): DumpedNode[] {
  const folders = Array.from({ length: FOLDERS }, (_, at) => `trunk/d${at}`)
  return ['trunk', 'branches', 'secret', ...folders].map((path) => ({ path, nodeAction: 'add' }))
}

function changes(revision: number, texts: Map<string, string[]>): DumpedNode[] {
  if (revision % 500 === 0) {
    const copiedFrom = { path: 'trunk', revision: revision - 1 }
    return [{ path: `branches/b${revision}`, kind: 'dir', nodeAction: 'add', copiedFrom }]
  }
  const path = `trunk/d${revision % FOLDERS}/f${revision % FILES}.ts`
  const known = texts.get(path)
  const lines = known ?? Array.from({ length: LINES }, (_, line) => `line ${line}\n`)
  lines[(revision * 7) % LINES] = `changed in ${revision}\n`
  texts.set(path, lines)
  const hidden: DumpedNode[] =
    revision % 10 === 0
      ? [{ path: 'secret/plan', nodeAction: revision === 10 ? 'add' : 'change', content: `plan ${revision}\n` }]
      : []
  return [{ path, nodeAction: known ? 'change' : 'add', content: lines.join('') }, ...hidden]
}
