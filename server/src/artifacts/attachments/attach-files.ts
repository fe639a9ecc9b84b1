import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { claimFiles } from '../../files/claim-files.ts'
import { sizeOfFiles } from '../../files/size-of-files.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { Artifact } from '../artifact.ts'
import type { NewAttachment } from './plan-attaching.ts'

interface Attaching {
  readonly by: AccountId
  readonly now: Date
  /** The transaction is rolled back; files that are not sealed stay unsealed. */
  readonly isDryRun: boolean
}

/** Claims free files for an artifact. False if one was claimed concurrently: the caller rolls back. */
export async function attachFiles(
  tx: Tx,
  artifact: Pick<Artifact, 'id' | 'project_id'>,
  files: readonly NewAttachment[],
  { by, now, isDryRun }: Attaching,
): Promise<boolean> {
  if (files.length === 0) return true
  const ids = files.map(({ file }) => file)
  if (!isDryRun && !(await claimFiles(tx, ids, by, now))) return false
  await recordAttachments(tx, artifact, files)
  failpoint('file.attached')
  return true
}

/** Records the owner of the files; a file claimed concurrently violates the unique key. */
export async function recordAttachments(
  tx: Tx,
  { id, project_id }: Pick<Artifact, 'id' | 'project_id'>,
  files: readonly NewAttachment[],
): Promise<void> {
  await sql`
    insert into artifact_file (file_id, project_id, artifact_id, field_id)
    select come.file_id, ${project_id}::bigint, ${id}::bigint, come.field_id
    from unnest(${files.map(({ file }) => file)}::bigint[], ${files.map(({ field }) => field)}::bigint[])
      as come (file_id, field_id)`.execute(tx)
}

/** Serializes writers of a project with a quota: two concurrent ones would both see the same free space. */
export async function lockAttachmentQuota(
  tx: Tx,
  { settings }: Pick<Context, 'settings'>,
  project: ProjectId,
): Promise<void> {
  if (settings.current.project_disk_quota === null) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files of project ${project}`}, 0))`.execute(tx)
}

/** Counts all files of the project, attached and detached. Call with the lock held. */
export async function requireAttachmentQuota(
  tx: Tx,
  { settings }: Pick<Context, 'settings'>,
  project: ProjectId,
): Promise<void> {
  const { project_disk_quota: maximum } = settings.current
  if (maximum === null) return
  const files = sql`select artifact_file.file_id from artifact_file where artifact_file.project_id = ${project}`
  const { rows } = await sql<{ size: number }>`select ${sizeOfFiles(files)} as size`.execute(tx)
  if ((rows[0]?.size ?? 0) > maximum)
    throw new ApiError('rule_violated', { cause: 'project_quota_exceeded', allowed: { maximum } })
}
