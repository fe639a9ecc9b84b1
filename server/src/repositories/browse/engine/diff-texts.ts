import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool, svnUser } from '../../disk/run-tool.ts'
import { type Hunk, parseDiff } from './parse-diff.ts'
import { SVN_TIMEOUT_MS } from './session.ts'

export interface TextPair {
  readonly old: Buffer
  readonly fresh: Buffer
}

export interface TextDifference {
  readonly hunks: Hunk[]
  readonly truncated: boolean
}

/** A path that cannot exist: the client neither reads nor writes a user configuration. */
const NO_CONFIG = '/dev/null/none'

/**
 * Compares pairs of texts with the real svn client: it diffs two plain folders in which the texts are numbered files.
 * Undefined for texts beyond the output limit.
 */
export async function diffWithSvn(
  pairs: readonly TextPair[],
  context: number,
  largestOutput: number,
): Promise<(TextDifference | undefined)[]> {
  if (pairs.length === 0) return []
  const folder = await mkdtemp(join(tmpdir(), 'waypost-diff-'))
  try {
    const user = await svnUser()
    if (user) await chown(folder, user.uid, user.gid)
    for (const side of ['old', 'fresh'] as const) {
      await mkdir(join(folder, side))
      await Promise.all(pairs.map((pair, at) => writeFile(join(folder, side, fileNameAt(at)), pair[side])))
    }
    const sides = [`--old=${join(folder, 'old')}`, `--new=${join(folder, 'fresh')}`]
    const flags = ['--non-interactive', '--config-dir', NO_CONFIG, '--internal-diff', '-x', `-U ${context}`]
    const { stdout, isCut } = await runTool('svn', ['diff', ...flags, ...sides], {
      timeLimit: SVN_TIMEOUT_MS,
      largestOutput,
    })
    const found = new Map(parseDiff(stdout, isCut).map((file) => [file.path, file]))
    return pairs.map((_, at) => found.get(fileNameAt(at)) ?? (isCut ? undefined : { hunks: [], truncated: false }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function fileNameAt(at: number): string {
  return String(at).padStart(6, '0')
}
