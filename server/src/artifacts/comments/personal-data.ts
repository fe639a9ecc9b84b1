import { type RawBuilder, sql } from 'kysely'
import type { ExportSource } from '../../accounts/exports/export-source.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { viewerIsAdmin, viewerIsInAnyGroup } from '../../projects/groups/memberships.ts'
import { hasGrant } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinArtifact, joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'

/** The newest rows only, as of all personal data. */
const MAX_EXPORTED_ROWS = 100_000

/** Deletes the reactions of an erased account. */
export async function eraseReactions({ tx }: WriteContext, account: AccountId): Promise<void> {
  await tx.deleteFrom('comment_reaction').where('account_id', '=', account).execute()
}

interface CommentPlace {
  readonly artifact_id: ArtifactId
  /** The number of the version with the comment. */
  readonly version: number
}

/** Texts that the person wrote and then replaced or deleted, of artifacts that they may still read. */
const earlierTextsExport: ExportSource = {
  name: 'comment_versions',
  async read(tx, _, person) {
    const { rows } = await sql<CommentPlace & { body: string; format: TextFormat; replaced_on: Date }>`
      select changeset.artifact_id, changeset.version, comment_version.body, comment_version.format,
        comment_version.replaced_on
      from changeset join comment_version on comment_version.changeset_id = changeset.id ${ofReadableComments(person)}
        and changeset.submitted_by = ${person.account_id}
      order by comment_version.replaced_on desc, changeset.id desc, comment_version.version desc
      limit ${MAX_EXPORTED_ROWS}`.execute(tx)
    return rows.map(({ body, format, replaced_on, ...place }) => ({
      ...describePlace(place),
      body,
      format,
      replaced_on: apiDate(replaced_on),
    }))
  },
}

/** Reactions of the person to comments that they may still read. */
const reactionsExport: ExportSource = {
  name: 'reactions',
  async read(tx, _, person) {
    const { rows } = await sql<CommentPlace & { reaction: string; reacted_on: Date }>`
      select changeset.artifact_id, changeset.version, comment_reaction.reaction, comment_reaction.reacted_on
      from comment_reaction join changeset on changeset.id = comment_reaction.changeset_id ${ofReadableComments(person)}
        and comment_reaction.account_id = ${person.account_id}
      order by comment_reaction.reacted_on desc, changeset.id desc limit ${MAX_EXPORTED_ROWS}`.execute(tx)
    return rows.map(({ reaction, reacted_on, ...place }) => ({
      ...describePlace(place),
      reaction,
      reacted_on: apiDate(reacted_on),
    }))
  },
}

/** Joins the artifact of `changeset`, and begins the condition. */
function ofReadableComments(person: Viewer): RawBuilder<unknown> {
  const joined = joinTrackerProjectAndMemberships(person)
  const mayReadAll = person.is_site_admin
    ? sql`true`
    : sql`(${viewerIsAdmin(joined)} or ${hasGrant(person, joined, sql`granted.kind = 'admin'`)})`
  return sql`${joinArtifact(sql`changeset.artifact_id`)} ${joined}
    where ${maySeeArtifact(person, joined)} and (changeset.comment_groups is null
      or ${viewerIsInAnyGroup(person, joined, sql`changeset.comment_groups`)} or ${mayReadAll})`
}

function describePlace({ artifact_id: id, version }: CommentPlace) {
  return { artifact: { id, uri: `artifacts/${id}` }, version }
}

export const COMMENT_EXPORTS: readonly ExportSource[] = [earlierTextsExport, reactionsExport]
