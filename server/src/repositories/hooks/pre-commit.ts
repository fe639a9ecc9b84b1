import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { runTool } from '../disk/run-tool.ts'
import type { CommitSelector } from './commit-properties.ts'
import type { ChangedPath } from './transaction-changes.ts'
import { assertMessage } from './commit-message.ts'
import type { RepositoryWithRules } from './find-commit-rules.ts'
import { immutableBelow, matchesPath, assertTagsUntouched } from './immutable-tags.ts'
import { CommitRefusal } from './commit-refusal.ts'
import { assertRequiredStates } from './workflow-rule.ts'

const BYTES_PER_MB = 2 ** 20
const SIZE_CHECK_CONCURRENCY = 8

export interface HookContext {
  readonly context: Context
  readonly folder: string
  readonly repository: RepositoryWithRules
  readonly committer: Viewer
}

interface PendingCommit {
  readonly which: CommitSelector
  readonly message: string
  /** Already being read, because the committer waits for it. */
  readonly changing: Promise<readonly ChangedPath[]>
}

/** Checks the message first, then each path. Returns the artifacts that the commit will move. */
export async function checkCommit(
  { context, folder, repository, committer }: HookContext,
  { which, message, changing }: PendingCommit,
): Promise<ArtifactId[]> {
  await assertMessage(context, repository, committer, message)
  const moving = await assertRequiredStates(context, repository, committer, message)
  const changes = await changing
  for (const change of changes) {
    assertTagsUntouched(change, repository)
    if (change.op === 'deleted') await assertNoTagsBelow(folder, change, repository)
  }
  const { svn_file_limit_mb: limit } = context.settings.current
  if (limit > 0) await assertFileSizes(folder, which, changes, limit)
  return moving
}

/** Removing or renaming a folder removes the tags below it. */
async function assertNoTagsBelow(
  folder: string,
  { path }: ChangedPath,
  repository: RepositoryWithRules,
): Promise<void> {
  const patterns = immutableBelow(path, repository)
  if (patterns.length === 0) return
  const { stdout, isCut } = await runTool('svnlook', ['tree', '--full-paths', folder, path])
  const there = stdout.toString().split('\n')
  const isGoing = there.some((each) => patterns.some((pattern) => matchesPath(each, pattern)))
  if (isCut || isGoing) throw new CommitRefusal('immutable', { path })
}

async function assertFileSizes(
  folder: string,
  which: CommitSelector,
  changes: readonly ChangedPath[],
  limit: number,
): Promise<void> {
  const files = changes.filter(({ op, isDirectory }) => op !== 'deleted' && !isDirectory)
  for (let at = 0; at < files.length; at += SIZE_CHECK_CONCURRENCY)
    await Promise.all(
      files.slice(at, at + SIZE_CHECK_CONCURRENCY).map(async ({ path }) => {
        const { stdout } = await runTool('svnlook', ['filesize', ...which, folder, path])
        if (Number(stdout.toString()) > limit * BYTES_PER_MB)
          throw new CommitRefusal('file_size', { path, limit: String(limit) })
      }),
    )
}
