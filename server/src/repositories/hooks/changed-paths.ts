import { runTool } from '../disk/run-tool.ts'
import { type ChangedPath, readTransactionChanges } from './transaction-changes.ts'
import { type CommitSelector, readCommitProperties } from './commit-properties.ts'
import { CommitRefusal } from './commit-refusal.ts'

/** The properties of a transaction or a revision. */
export interface Commit {
  readonly author: string
  readonly message: string
  readonly on: Date
}

const MAX_CHANGES_BYTES = 64 * 2 ** 20
const CHANGED_LINE = /^([AUD_])([U ])[+ ] (.+)$/s

/** A replaced node is reported as deleted and added. Changed properties count as a modification. */
export async function readChangedPaths(folder: string, which: CommitSelector): Promise<ChangedPath[]> {
  const kept = which[0] === '-t' ? await readTransactionChanges(folder, which[1]) : undefined
  if (kept) return kept
  const { stdout, isCut } = await runTool('svnlook', ['changed', ...which, folder], {
    largestOutput: MAX_CHANGES_BYTES,
  })
  if (isCut) throw new CommitRefusal('failed')
  const lines = stdout.toString().split('\n').filter(Boolean)
  return lines.map((line) => {
    const [, status = '', , path = ''] = CHANGED_LINE.exec(line) ?? []
    // A line break in a path splits the line, and the second part does not match.
    if (path === '') throw new CommitRefusal('path')
    const op = status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified'
    return { path: `/${path.replace(/\/$/, '')}`, op, isDirectory: path.endsWith('/') }
  })
}

/** All paths that a revision changes, and its copy sources. */
export async function readTouchedPaths(folder: string, revision: number): Promise<string[]> {
  const { stdout, isCut } = await runTool('svnlook', ['changed', '--copy-info', '-r', String(revision), folder])
  if (isCut) throw new Error(`Revision ${revision} of ${folder} changes too much to be read.`)
  const paths = stdout
    .toString()
    .split('\n')
    .flatMap((line) => /^ {4}\(from (.+):r\d+\)$/.exec(line)?.[1] ?? CHANGED_LINE.exec(line)?.[3] ?? [])
  return [...new Set(paths.map((path) => `/${path.replace(/\/$/, '')}`))]
}

export async function readCommit(folder: string, which: CommitSelector): Promise<Commit> {
  const kept = await readCommitProperties(folder, which)
  if (kept)
    return {
      author: kept.get('svn:author') ?? '',
      on: new Date((kept.get('svn:date') ?? '').replace(/\.\d+Z$/, 'Z')),
      message: kept.get('svn:log') ?? '',
    }
  const { stdout } = await runTool('svnlook', ['info', ...which, folder])
  const [author = '', date = '', , ...message] = stdout.toString().split('\n')
  return { author, on: new Date(date.replace(/ \(.*$/, '')), message: message.join('\n').replace(/\n$/, '') }
}
