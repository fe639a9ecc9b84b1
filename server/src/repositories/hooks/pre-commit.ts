import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { runTool } from '../disk/run-tool.ts'
import type { ChangedPath, Which } from './changed-paths.ts'
import { requireMessage } from './commit-message.ts'
import type { RuledRepository } from './find-ruled.ts'
import { immutableBelow, isAt, requireUntouchedTags } from './immutable-tags.ts'
import { Refusal } from './refusal.ts'
import { requireStates } from './workflow-rule.ts'

const MB = 2 ** 20
const AT_ONCE = 8

export interface Asked {
  readonly context: Context
  readonly folder: string
  readonly repository: RuledRepository
  readonly committer: Viewer
}

interface Coming {
  readonly which: Which
  readonly message: string
  /** Being read already: whoever commits waits for it. */
  readonly changing: Promise<readonly ChangedPath[]>
}

/** Whether a commit may become a revision: its message first, then each path by itself. Returns what it will move. */
export async function checkCommit(
  { context, folder, repository, committer }: Asked,
  { which, message, changing }: Coming,
): Promise<ArtifactId[]> {
  await requireMessage(context, repository, committer, message)
  const moving = await requireStates(context, repository, committer, message)
  const changes = await changing
  for (const change of changes) {
    requireUntouchedTags(change, repository)
    if (change.op === 'deleted') await requireNoTagsBelow(folder, change, repository)
  }
  const { svn_file_limit_mb: limit } = context.settings.current
  if (limit > 0) await requireSizes(folder, which, changes, limit)
  return moving
}

/** Who removes or renames a folder removes the tags below it. */
async function requireNoTagsBelow(folder: string, { path }: ChangedPath, repository: RuledRepository): Promise<void> {
  const patterns = immutableBelow(path, repository)
  if (patterns.length === 0) return
  const { stdout, isCut } = await runTool('svnlook', ['tree', '--full-paths', folder, path])
  const there = stdout.toString().split('\n')
  const isGoing = there.some((each) => patterns.some((pattern) => isAt(each, pattern)))
  if (isCut || isGoing) throw new Refusal('immutable', { path })
}

async function requireSizes(
  folder: string,
  which: Which,
  changes: readonly ChangedPath[],
  limit: number,
): Promise<void> {
  const files = changes.filter(({ op, isDirectory }) => op !== 'deleted' && !isDirectory)
  for (let at = 0; at < files.length; at += AT_ONCE)
    await Promise.all(
      files.slice(at, at + AT_ONCE).map(async ({ path }) => {
        const { stdout } = await runTool('svnlook', ['filesize', ...which, folder, path])
        if (Number(stdout.toString()) > limit * MB) throw new Refusal('file_size', { path, limit: String(limit) })
      }),
    )
}
