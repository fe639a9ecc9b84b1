import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Work } from '../../platform/http/work.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { linkFieldOf } from '../links/link-field.ts'
import type { Changes } from '../writing/draft.ts'
import { type Author, writingOf } from '../writing/draft-version.ts'
import { type Effects, effectsOf, isWorded, linksIn } from '../writing/effects.ts'
import { makeOpenValues } from '../writing/open-values.ts'
import type { Migration } from './migrate-values.ts'
import { writeMove } from './write-move.ts'

interface Move {
  readonly from: Sight
  readonly to: Sight
  readonly migration: Migration
}

/** Writes the move: a version whose values are those of the other tracker. */
export async function moveTo(work: Work, author: Author, artifact: Artifact, move: Move): Promise<void> {
  const { tx } = work
  const { tracker: from } = move.from
  const { tracker: to } = move.to
  const given = new Map([...(await requiredDefaults(author, move)), ...move.migration.values])
  const [stored = given] = await makeOpenValues(tx, to, [given])
  // It may have been there before: what it had then and has not now is none.
  const changes = new Map([...(await cleared(tx, artifact.id, to.id)), ...stored])
  const values = Object.fromEntries(changes)
  const moved = await writeMove(tx, artifact, {
    from,
    to,
    values,
    version: {
      changes: JSON.stringify(values),
      effects: await effectsOfMove(author, artifact, move.to, changes),
      comment: null,
      origin: work.origin,
      event: {
        type: 'artifact.moved',
        payload: { changed: [], has_comment: false, from: { tracker_id: from.id, project_id: from.project_id } },
      },
      author: author.viewer.account_id ?? null,
      now: author.now,
    },
  })
  if (!moved) throw new ApiError('unavailable') // Rights have changed this very moment.
  await moveAttachments(tx, artifact.id, move)
  failpoint('artifact.moved')
  await recordMove(work, artifact, { from, to })
}

/** Files belong to the fields that their lists have gone to, those of past lists too. */
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

/** Both projects have it in their log. */
async function recordMove(
  work: Work,
  { id }: Artifact,
  { from, to }: { from: Sight['tracker']; to: Sight['tracker'] },
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

/** Required fields that nothing came into begin as in a new artifact. */
async function requiredDefaults(author: Author, { to, migration }: Move): Promise<Changes> {
  const defaults = new Map<FieldId, unknown>()
  for (const element of to.tracker.elements) {
    if (!element.is_used || !element.is_required) continue
    const type = fieldTypeOf(element)
    if (!(type.isEmpty?.(migration.values.get(element.id)) ?? true)) continue
    const value = await type.defaultFor?.(element, writingOf(author, { sight: to, found: undefined }, element))
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

/** Everything is written anew; but links stand where they stood, and only those that have changed are touched. */
async function effectsOfMove(
  { context, db }: Author,
  { id }: Artifact,
  { tracker }: Sight,
  changes: Changes,
): Promise<Effects> {
  const field = linkFieldOf(tracker)
  const is = new Map(linksIn(field && changes.get(field.id)).map(({ target, type }) => [target, type]))
  const { rows: was } = await sql<{ target: number; type: string }>`
    select target_id as target, type from artifact_link where source_id = ${id}`.execute(db)
  const effects = effectsOf({ tracker, referenceKinds: context.referenceKinds }, {}, changes)
  const links = {
    removed: was.filter(({ target }) => !is.has(target)),
    added: was.flatMap(({ target, type }) => {
      const now = is.get(target)
      return now === undefined || now === type ? [] : [{ target, type: now }]
    }),
  }
  // The words of fields that it leaves behind go.
  return { ...effects, links, worded: tracker.elements.filter(isWorded).map((element) => element.id) }
}
