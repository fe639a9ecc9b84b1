import { sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { idParam } from '../../platform/http/route.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import type { ResourceVersion } from '../../platform/wire/etag.ts'
import { accessVersion, requireActiveProject } from '../../trackers/load-tracker.ts'
import type { ArtifactId, ChangesetId } from '../artifact.ts'
import { mayReadComment } from '../history/read-versions.ts'
import type { Asker } from '../reading/audience.ts'
import { findArtifact, type FoundArtifact } from '../reading/find-artifact.ts'
import { joinArtifact, joinTrackerAndProject } from '../visibility.ts'

export const COMMENT_PATH = '/artifacts/:id/changesets/:changeset_id/comment'

export const COMMENT_PARAMS = {
  id: idParam<ArtifactId>('The artifact.'),
  changeset_id: idParam<ChangesetId>('The `id` of the version with the comment.'),
}

export interface CommentAddress {
  readonly id: ArtifactId
  readonly changeset_id: ChangesetId
}

/** A readable comment, locked until the end of the transaction. */
export interface LockedComment {
  readonly found: FoundArtifact
  /** The number of the version of the artifact. */
  readonly version: number
  readonly author: AccountId | null
  readonly body: string
  readonly format: TextFormat
  readonly groups: readonly number[] | null
  /** The number of the present text, from 1. */
  readonly textVersion: number
}

interface Row {
  readonly is_current: boolean
  readonly version: number
  readonly submitted_by: AccountId | null
  readonly comment: string
  readonly comment_format: TextFormat
  readonly comment_groups: readonly number[] | null
}

/** Locks a comment that the caller may read, in an active project. Deleted comments are absent. */
export async function lockComment(asker: Asker & { readonly db: Tx }, address: CommentAddress): Promise<LockedComment> {
  const { context, db, viewer } = asker
  const { found, row } = await retryOnConflict(async () => {
    const seen = await findArtifact(context, db, viewer, address.id)
    const { rows } = await sql<Row>`
      select ${accessVersion} = ${seen.access.tracker.stamp} as is_current, changeset.version, changeset.submitted_by,
        changeset.comment, changeset.comment_format, changeset.comment_groups
      from changeset ${joinArtifact(sql`changeset.artifact_id`)} ${joinTrackerAndProject}
      where changeset.id = ${address.changeset_id} and changeset.artifact_id = ${address.id}
        and ${mayReadComment(seen.access)}
      for update of changeset`.execute(db)
    const [first] = rows
    if (!first) throw hiddenError(viewer)
    // The permissions changed after they were read.
    return first.is_current ? { found: seen, row: first } : undefined
  })
  requireActiveProject(found.access.tracker)
  return {
    found,
    version: row.version,
    author: row.submitted_by,
    body: row.comment,
    format: row.comment_format,
    groups: row.comment_groups,
    textVersion: await countTexts(db, address.changeset_id),
  }
}

/** After the lock, because a statement that waited for it still reads other tables as they were before. */
async function countTexts(tx: Tx, changeset: ChangesetId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from comment_version where comment_version.changeset_id = ${changeset}`.execute(tx)
  return 1 + (rows[0]?.count ?? 0)
}

export function commentVersion({ changeset_id: id }: CommentAddress, version: number): ResourceVersion {
  return { kind: 'comment', id, version }
}

export function commentUri({ id, changeset_id }: CommentAddress): string {
  return `artifacts/${id}/changesets/${changeset_id}/comment`
}
