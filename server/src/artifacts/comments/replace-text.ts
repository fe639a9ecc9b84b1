import { sql } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { commentPayload, insertReferences } from '../update-artifact/version-ctes.ts'
import type { VersionComment } from '../update-artifact/version-draft.ts'
import { type CommentAddress, commentUri, type LockedComment } from './find-comment.ts'

interface Replacement {
  /** Null deletes the comment. */
  readonly text: Pick<VersionComment, 'body' | 'format' | 'references'> | null
  readonly by: AccountId
  readonly on: Date
}

/**
 * Keeps the present text, and writes the new one or none. The search index follows the text of the changeset; its
 * references are written again. The version of the artifact stays, because no value changes.
 */
export async function replaceText(
  work: WriteContext,
  { id, changeset_id }: CommentAddress,
  { found: { artifact }, version, body, format, groups, textVersion }: LockedComment,
  { text, by, on }: Replacement,
): Promise<void> {
  const { tx } = work
  await sql`
    with kept as (
      insert into comment_version (project_id, artifact_id, changeset_id, version, body, format, replaced_by, replaced_on)
      values (${artifact.project_id}, ${id}, ${changeset_id}, ${textVersion}, ${body}, ${format}, ${by}, ${on})
    ), forgotten as (
      delete from artifact_reference
      where artifact_id = ${id} and field_id = 0 and changeset_id = ${changeset_id}
    )
    update changeset set comment = ${text?.body ?? null}, comment_format = ${text?.format ?? null}
    where id = ${changeset_id}`.execute(tx)
  if (text && text.references.length > 0) {
    const whose = sql`(select ${id}::bigint as id, ${artifact.project_id}::bigint as project_id) after
      cross join (select ${changeset_id}::bigint as id) history`
    await insertReferences(text.references, whose).execute(tx)
  }
  await work.recordEvent({
    type: 'comment.edited',
    object: `artifacts/${id}`,
    project_id: artifact.project_id,
    payload: { version, tracker_id: artifact.tracker_id, ...commentPayload(groups), has_comment: text !== null },
  })
  await work.change({
    object: commentUri({ id, changeset_id }),
    op: text ? 'update' : 'delete',
    project_id: artifact.project_id,
    // The log outlives the comment, so it has no text.
    before: { version: textVersion },
    ...(text && { after: { version: textVersion + 1 } }),
  })
}
