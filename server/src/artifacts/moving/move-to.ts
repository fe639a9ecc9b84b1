import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { linkFieldOf, storedLinkRows } from '../links/link-field.ts'
import { buildFieldWriteContext } from '../update-artifact/decide.ts'
import { buildVersion, type DerivedRows, isWorded } from '../update-artifact/derived-rows.ts'
import { makeOpenValues } from '../update-artifact/open-values.ts'
import type { Author, Changes } from '../update-artifact/version-draft.ts'
import type { Migration } from './migrate-values.ts'
import { writeMove } from './write-move.ts'

interface Move {
  readonly from: TrackerAccess
  readonly to: TrackerAccess
  readonly migration: Migration
}

/** Writes the move as a version with the values of the target tracker. */
export async function moveTo(work: WriteContext, author: Author, artifact: Artifact, move: Move): Promise<void> {
  const { tx } = work
  const { tracker: from } = move.from
  const { tracker: to } = move.to
  const given = new Map([...(await requiredDefaults(author, move)), ...move.migration.values])
  const [stored = given] = await makeOpenValues(tx, to, [given])
  // The artifact may have been in this tracker before: values from then that it lacks now are cleared.
  const changes = new Map([...(await cleared(tx, artifact.id, to.id)), ...stored])
  const values = Object.fromEntries(changes)
  const draft = { changes, comment: null, transition: undefined }
  const version = buildVersion(author, { access: move.to, found: undefined }, draft, work.origin)
  const moved = await writeMove(tx, artifact, {
    from,
    to,
    values,
    version: {
      ...version,
      derived: { ...version.derived, ...(await deriveMovedRows(author, artifact, move.to, changes)) },
      event: {
        type: 'artifact.moved',
        payload: { changed: [], has_comment: false, from: { tracker_id: from.id, project_id: from.project_id } },
      },
    },
  })
  if (!moved) throw new ApiError('unavailable') // Permissions changed concurrently.
  await moveAttachments(tx, artifact.id, move)
  if (from.project_id !== to.project_id) await keepCommentsRestricted(tx, artifact.id)
  failpoint('artifact.moved')
  await recordMove(work, artifact, { from, to })
}

/** Reassigns attachments to the target fields, including those of past versions. */
async function moveAttachments(tx: Tx, artifact: ArtifactId, { migration, to }: Move): Promise<void> {
  const fields = [...migration.whole, ...migration.partial].flatMap((from) => {
    const there = fieldTypeOf(from).files && to.tracker.byName.get(from.name)
    return there ? [{ from: from.id, to: there.id }] : []
  })
  if (fields.length === 0) return
  await sql`
    update artifact_file set field_id = moved.there
    from unnest(${fields.map(({ from }) => from)}::bigint[], ${fields.map((field) => field.to)}::bigint[])
      as moved (here, there)
    where artifact_file.artifact_id = ${artifact} and artifact_file.field_id = moved.here`.execute(tx)
}

/**
 * Members and administrators differ between projects. Comments restricted to these groups of the old project become
 * readable by administrators of the new one only; groups with a global id stay.
 */
async function keepCommentsRestricted(tx: Tx, artifact: ArtifactId): Promise<void> {
  await sql`
    update changeset set comment_groups = array(
      select distinct case when each = any(${GROUPS_OF_EVERY_PROJECT}::bigint[]) then ${ADMINISTRATORS}::bigint else each end
      from unnest(comment_groups) each)
    where artifact_id = ${artifact} and comment_groups && ${GROUPS_OF_EVERY_PROJECT}::bigint[]`.execute(tx)
}

const ADMINISTRATORS = 4
/** Members, administrators, Subversion administrators: every project uses the same numbers for them. */
const GROUPS_OF_EVERY_PROJECT = [3, ADMINISTRATORS, 19]

/** Written to the logs of both projects. */
async function recordMove(
  work: WriteContext,
  { id }: Artifact,
  { from, to }: { from: TrackerAccess['tracker']; to: TrackerAccess['tracker'] },
): Promise<void> {
  for (const project_id of new Set([from.project_id, to.project_id]))
    await work.change({
      object: `artifacts/${id}`,
      op: 'update',
      project_id,
      before: { tracker_id: from.id, project_id: from.project_id },
      after: { tracker_id: to.id, project_id: to.project_id },
    })
}

/** Required fields that received no value get their default, as in a new artifact. */
async function requiredDefaults(author: Author, { to, migration }: Move): Promise<Changes> {
  const defaults = new Map<FieldId, unknown>()
  for (const element of to.tracker.elements) {
    if (!element.is_used || !element.is_required) continue
    const type = fieldTypeOf(element)
    if (!(type.isEmpty?.(migration.values.get(element.id)) ?? true)) continue
    const value = await type.defaultFor?.(
      element,
      buildFieldWriteContext(author, { access: to, found: undefined }, element),
    )
    if (value !== undefined) defaults.set(element.id, value)
  }
  return defaults
}

async function cleared(tx: Tx, artifact: ArtifactId, tracker: TrackerId): Promise<Changes> {
  const { rows } = await sql<{ field: string }>`
    select distinct jsonb_object_keys(changeset.changes) as field from changeset
    where changeset.artifact_id = ${artifact} and changeset.tracker_id = ${tracker}`.execute(tx)
  return new Map(rows.map(({ field }) => [toId<FieldId>(Number(field)), null]))
}

/** All derived rows are rewritten, except unchanged links. */
async function deriveMovedRows(
  { db }: Author,
  { id }: Artifact,
  { tracker }: TrackerAccess,
  changes: Changes,
): Promise<Pick<DerivedRows, 'links' | 'worded'>> {
  const field = linkFieldOf(tracker)
  const is = new Map(storedLinkRows(field && changes.get(field.id)).map(({ target, type }) => [target, type]))
  const { rows: was } = await sql<{ target: number; type: string }>`
    select target_id as target, type from artifact_link where source_id = ${id}`.execute(db)
  const links = {
    removed: was.filter(({ target }) => !is.has(target)),
    added: was.flatMap(({ target, type }) => {
      const now = is.get(target)
      return now === undefined || now === type ? [] : [{ target, type: now }]
    }),
  }
  // Removes the indexed words of fields that the artifact no longer has.
  return { links, worded: tracker.elements.filter(isWorded).map((element) => element.id) }
}
