import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool, svnUser } from '../../disk/run-tool.ts'
import { type Hunk, parseDiff } from './parse-diff.ts'
import { TIME_LIMIT } from './session.ts'

export interface Pair {
  readonly old: Buffer
  readonly fresh: Buffer
}

export interface Difference {
  readonly hunks: Hunk[]
  readonly truncated: boolean
}

/** A place that can never be, so that nothing of whoever runs us is read and nothing is written. */
const NO_CONFIG = '/dev/null/none'

/**
 * What is different in pairs of texts, in the eyes of Subversion itself: its client compares two folders, which know no
 * repository, and in which the texts have numbers for names. Undefined: there was no more room for it.
 */
export async function diffTexts(
  pairs: readonly Pair[],
  context: number,
  largestOutput: number,
): Promise<(Difference | undefined)[]> {
  if (pairs.length === 0) return []
  const folder = await mkdtemp(join(tmpdir(), 'waypost-diff-'))
  try {
    const user = await svnUser()
    if (user) await chown(folder, user.uid, user.gid)
    for (const side of ['old', 'fresh'] as const) {
      await mkdir(join(folder, side))
      await Promise.all(pairs.map((pair, at) => writeFile(join(folder, side, nameOf(at)), pair[side])))
    }
    const sides = [`--old=${join(folder, 'old')}`, `--new=${join(folder, 'fresh')}`]
    const flags = ['--non-interactive', '--config-dir', NO_CONFIG, '--internal-diff', '-x', `-U ${context}`]
    const { stdout, isCut } = await runTool('svn', ['diff', ...flags, ...sides], {
      timeLimit: TIME_LIMIT,
      largestOutput,
    })
    const found = new Map(parseDiff(stdout, isCut).map((file) => [file.path, file]))
    return pairs.map((_, at) => found.get(nameOf(at)) ?? (isCut ? undefined : { hunks: [], truncated: false }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function nameOf(at: number): string {
  return String(at).padStart(6, '0')
}
