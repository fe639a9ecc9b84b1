import { runTool } from '../disk/run-tool.ts'
import { readKeptChanges } from './kept-changes.ts'
import { readKeptProperties } from './kept-properties.ts'
import { Refusal } from './refusal.ts'

export interface ChangedPath {
  readonly path: string
  readonly op: 'added' | 'modified' | 'deleted'
  readonly isDirectory: boolean
}

/** What a commit is, before it becomes a revision and after. */
export interface Commit {
  readonly author: string
  readonly message: string
  readonly on: Date
}

/** `['-t', name]` for a commit that is on its way, `['-r', number]` for a revision. */
export type Which = readonly ['-t' | '-r', string]

const MOST_CHANGES = 64 * 2 ** 20
const LINE = /^([AUD_])([U ])[+ ] (.+)$/s

/** Something that was replaced is deleted, and added. Changed properties are a modification. */
export async function readChanges(folder: string, which: Which): Promise<ChangedPath[]> {
  const kept = which[0] === '-t' ? await readKeptChanges(folder, which[1]) : undefined
  if (kept) return kept
  const { stdout, isCut } = await runTool('svnlook', ['changed', ...which, folder], { largestOutput: MOST_CHANGES })
  if (isCut) throw new Refusal('failed')
  const lines = stdout.toString().split('\n').filter(Boolean)
  return lines.map((line) => {
    const [, status = '', , path = ''] = LINE.exec(line) ?? []
    // A line break in a path would make it two, of which one has not this form.
    if (path === '') throw new Refusal('path')
    const op = status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified'
    return { path: `/${path.replace(/\/$/, '')}`, op, isDirectory: path.endsWith('/') }
  })
}

/** Every path that a revision is about, and those that it has copied from. */
export async function readTouchedPaths(folder: string, revision: number): Promise<string[]> {
  const { stdout, isCut } = await runTool('svnlook', ['changed', '--copy-info', '-r', String(revision), folder])
  if (isCut) throw new Error(`Revision ${revision} of ${folder} changes too much to be read.`)
  const paths = stdout
    .toString()
    .split('\n')
    .flatMap((line) => /^ {4}\(from (.+):r\d+\)$/.exec(line)?.[1] ?? LINE.exec(line)?.[3] ?? [])
  return [...new Set(paths.map((path) => `/${path.replace(/\/$/, '')}`))]
}

export async function readCommit(folder: string, which: Which): Promise<Commit> {
  const kept = await readKeptProperties(folder, which)
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
