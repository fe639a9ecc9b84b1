import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../../projects/project.ts'
import { projectIdByShortname } from '../../projects/references/own-keywords.ts'
import { drawNumbers } from '../../trackers/counter.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Artifact } from '../artifact.ts'
import { deriveRows, type DerivedRows } from '../update-artifact/derived-rows.ts'
import { indexCtes } from '../update-artifact/insert-artifacts.ts'
import type { ReferenceScope, TextReference } from '../update-artifact/text-references.ts'
import { type DraftedImport, type DraftedVersion, finalValues } from './draft-import.ts'
import type { ImportId } from './import.ts'

/** The import of a batch, and its importer. */
export interface Importing {
  readonly import_id: ImportId
  readonly project_id: ProjectId
  readonly imported_by: AccountId
  readonly imported_on: Date
}

export type Imported = Pick<Artifact, 'id' | 'project_id' | 'version' | 'last_modified'>

/**
 * Inserts artifacts with their history, indexes, links and references in one statement. It records no events, so
 * no notifications follow. Undefined if the permissions in the tracker have changed since the caller read them.
 */
export async function insertImported(
  tx: Tx,
  tracker: LoadedTracker,
  scope: Pick<ReferenceScope, 'referenceKinds'>,
  drafts: readonly DraftedImport[],
  { import_id, imported_by, imported_on }: Importing,
): Promise<readonly Imported[] | undefined> {
  const made = drafts.map((draft) => {
    const values = finalValues(draft.versions)
    return { draft, values, derived: deriveRows({ ...scope, tracker }, {}, values) }
  })
  const dated = made.map(({ draft }) => withSeconds(draft.versions))
  const { rows } = await sql<Imported>`
    with given as materialized (${artifactRows(made, dated)}), told as materialized (${versionRows(dated)}),
    counted as (${drawNumbers(tracker, drafts.length)}), made as (
      insert into artifact (id, project_id, tracker_id, number, version, field_values, people, restricted_to,
        submitted_by, submitted_on, last_update_by, last_modified_date, last_modified)
      select coalesce(given.id, nextval('artifact_id_seq')), counted.project_id, counted.tracker_id,
        counted.last_number - ${drafts.length}::bigint + given.place, given.version, given.changes, given.people,
        given.restricted_to, given.submitted_by, given.submitted_on, given.last_update_by, given.last_modified_date,
        given.last_modified
      from counted, given order by given.place
      returning artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.version,
        artifact.last_modified
    ), after as materialized (
      select made.*, made.number - counted.last_number + ${drafts.length}::bigint as place from made, counted
    ), history as (
      insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
        changes, comment, comment_format, comment_groups)
      select after.project_id, after.id, after.tracker_id, told.version, told.submitted_by, told.submitted_on,
        told.last_modified, told.changes, told.comment, told.comment_format, told.comment_groups
      from after join told using (place) order by place, told.version
      returning id, artifact_id, version
    ), keys as (
      insert into imported_artifact (artifact_id, project_id, import_id, source_key, versions, imported_by, imported_on)
      select after.id, after.project_id, ${import_id}::bigint, given.source_key, after.version, ${imported_by}::bigint,
        ${imported_on}::timestamptz
      from after join given using (place)
    )${indexCtes(made.map(({ derived }) => ({ derived: { ...derived, references: NONE }, comment: null })))}${referenceCte(made)}
    select after.id, after.project_id, after.version, after.last_modified from after order by after.place`.execute(tx)
  return rows.length === 0 ? undefined : rows
}

const NONE = { added: [], removed: [] }

interface Made {
  readonly draft: DraftedImport
  readonly values: ReadonlyMap<number, unknown>
  readonly derived: DerivedRows
}

interface DatedVersion extends DraftedVersion {
  readonly lastModified: Date
}

/** Every version has a second of its own, for `Last-Modified`. */
function withSeconds(versions: readonly DraftedVersion[]): readonly DatedVersion[] {
  let last = 0
  return versions.map((version) => {
    last = Math.max(Math.trunc(version.on.getTime() / 1000), last + 1)
    return { ...version, lastModified: new Date(last * 1000) }
  })
}

/** One JSON document for all, which is faster than one parameter per value. */
function artifactRows(made: readonly Made[], dated: readonly (readonly DatedVersion[])[]): RawBuilder<unknown> {
  const rows = made.map(({ draft: { line }, values, derived }, index) => {
    const versions = dated[index] ?? []
    const [first, last] = [versions[0], versions.at(-1)]
    return {
      place: index + 1,
      id: line.id,
      source_key: line.source_key,
      version: versions.length,
      changes: Object.fromEntries(values),
      people: derived.people,
      restricted_to: derived.restricted_to,
      submitted_by: first?.by,
      submitted_on: first?.on,
      last_update_by: last?.by,
      last_modified_date: last?.on,
      last_modified: last?.lastModified,
    }
  })
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (place bigint, id bigint,
    source_key text, version integer, changes jsonb, people bigint[], restricted_to bigint[], submitted_by bigint,
    submitted_on timestamptz, last_update_by bigint, last_modified_date timestamptz, last_modified timestamptz)`
}

function versionRows(dated: readonly (readonly DatedVersion[])[]): RawBuilder<unknown> {
  const rows = dated.flatMap((versions, index) =>
    versions.map(({ by, on, lastModified, changes, comment }, at) => ({
      place: index + 1,
      version: at + 1,
      submitted_by: by,
      submitted_on: on,
      last_modified: lastModified,
      changes: Object.fromEntries(changes),
      comment: comment?.body,
      comment_format: comment?.format,
      comment_groups: comment?.groups,
    })),
  )
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (place bigint, version integer,
    submitted_by bigint, submitted_on timestamptz, last_modified timestamptz, changes jsonb, comment text,
    comment_format text, comment_groups bigint[])`
}

/**
 * References of the final texts, and of the comments of each version. A reference to a project that does not exist is
 * dropped. The joins compare columns, so that they are hashed: a batch has thousands of references and versions.
 */
function referenceCte(made: readonly Made[]): RawBuilder<unknown> {
  const references = made.flatMap(({ draft, derived }, index) => {
    const inComments = draft.versions.flatMap(({ comment }, at) =>
      (comment?.references ?? []).map((each) => referenceRow(each, index + 1, at + 1)),
    )
    return [...derived.references.added.map((each) => referenceRow(each, index + 1, 1)), ...inComments]
  })
  if (references.length === 0) return sql``
  return sql`, referring as materialized (
      select come.*, coalesce(come.of_id, ${projectIdByShortname(sql`come.of_name`)}) as of_project
      from jsonb_to_recordset(${JSON.stringify(references)}::jsonb) as come (place bigint, version integer,
        field_id bigint, ref text, keyword text, value text, of_id bigint, of_name text, target_id bigint)
    ), references_added as (
      insert into artifact_reference (project_id, artifact_id, field_id, changeset_id, ref, keyword, value, of_project, target_id)
      select after.project_id, after.id, referring.field_id, case referring.field_id when 0 then history.id else 0 end,
        referring.ref, referring.keyword, referring.value, referring.of_project, referring.target_id
      from referring join after using (place)
        join history on history.artifact_id = after.id and history.version = referring.version
      where referring.of_project is not null
      on conflict do nothing)`
}

function referenceRow(
  { field, ref, keyword, value, of_project, target }: TextReference,
  place: number,
  version: number,
) {
  const of = typeof of_project === 'number' ? { of_id: of_project } : { of_name: of_project }
  return { place, version, field_id: field, ref, keyword, value, ...of, target_id: target }
}
