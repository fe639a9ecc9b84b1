import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { usersByIdSql } from '../../accounts/users/user.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { KEY_KEYWORD } from '../../projects/references/source-keys.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinTrackerProjectAndMe, maySeeArtifact } from '../visibility.ts'
import {
  artifactColumns,
  asArray,
  columnsWith,
  INCOMING_ORDER,
  joinEnd,
  type LookRow,
  OUTGOING_ORDER,
  type SelectedRow,
} from './look-rows.ts'

/** `head`: without links and references, which only values need. `regardless`: without the check of visibility. */
export type LookExtent = 'whole' | 'head' | 'regardless' | 'head_regardless'

/**
 * Looks up artifacts with everything around them that the viewer sees, in one statement that decides visibility itself.
 */
export async function lookUpBySql(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  extent: LookExtent = 'whole',
  omitted: readonly FieldId[] = [],
): Promise<LookRow[]> {
  const form = { extent, isOne: ids.length === 1, isCut: omitted.length > 0 }
  const statement = statementFor(viewer, form, db)
  const parameters = statement.parameters.map((each) => {
    if (each === PLACEHOLDER_ACCOUNT) return viewer.account_id
    if (each === PLACEHOLDER_PROJECTS) return viewer.credential?.projects
    if (each === PLACEHOLDER_ID) return ids[0]
    if (each === PLACEHOLDER_FIELDS) return omitted.map(String)
    return each === PLACEHOLDER_IDS ? ids : each
  })
  const query: CompiledQuery<SelectedRow> = { ...statement, parameters }
  const { rows } = await db.executeQuery(query)
  const persons = rows.flatMap((row) => row.persons ?? [])
  return rows.map((row) => ({ ...row, persons }))
}

/** Placeholders for viewer and ids, so that all viewers of a kind share one statement text. */
const PLACEHOLDER_ACCOUNT = toId<AccountId>(Number.MAX_SAFE_INTEGER)
const PLACEHOLDER_IDS: readonly ArtifactId[] = []
const PLACEHOLDER_PROJECTS: readonly number[] = []
const LIMITED_KEY = { kind: 'access_key', id: null, projects: PLACEHOLDER_PROJECTS } as const
const PLACEHOLDER_ID = toId<ArtifactId>(Number.MAX_SAFE_INTEGER - 1)
const PLACEHOLDER_FIELDS: readonly string[] = []

interface StatementForm {
  readonly extent: LookExtent
  readonly isOne: boolean
  /** Without the values of some fields. */
  readonly isCut: boolean
}

const statements = new Map<string, CompiledQuery<SelectedRow>>()

/** Compiled once per kind of viewer: compiling takes as long as the rest of the request. */
function statementFor(viewer: Viewer, form: StatementForm, db: Db | Tx): CompiledQuery<SelectedRow> {
  const { extent, isOne, isCut } = form
  const { account_id, is_site_admin = false, is_restricted = false, credential } = viewer
  const isLimited = credential?.projects !== undefined
  const kind = `${account_id === undefined} ${is_site_admin} ${is_restricted} ${isLimited} ${extent} ${isOne} ${isCut}`
  const known = statements.get(kind)
  if (known) return known
  const placeholder = account_id === undefined ? {} : { account_id: PLACEHOLDER_ACCOUNT }
  const limited = isLimited ? { credential: LIMITED_KEY } : {}
  const kindred = { ...placeholder, ...limited, is_site_admin, is_restricted, language: null, time_zone: null }
  const made = statementOf(kindred, form).compile(db)
  statements.set(kind, made)
  return made
}

function statementOf(viewer: Viewer, { extent, isOne, isCut }: StatementForm): RawBuilder<SelectedRow> {
  const sees = maySeeArtifact(viewer, joinTrackerProjectAndMe)
  // A separate text for one id: PostgreSQL estimates many rows for an array and would replan each time.
  const which = isOne ? sql`artifact.id = ${PLACEHOLDER_ID}` : sql`artifact.id = any(${PLACEHOLDER_IDS}::bigint[])`
  const columns = isCut
    ? columnsWith(sql`artifact.field_values - ${PLACEHOLDER_FIELDS}::text[] as field_values`)
    : artifactColumns
  const named = sql`main.people || main.submitted_by || main.last_update_by || ${viewer.account_id ?? null}::bigint`
  // One lookup for the people of all artifacts, who are often the same.
  const persons = isOne
    ? asArray(usersByIdSql(named))
    : sql`case when row_number() over () = 1
        then ${asArray(usersByIdSql(sql`array(select distinct unnest(${named}) from main)`))} end`
  return sql<SelectedRow>`
    with me as materialized (${memberships(viewer)}), main as materialized (
      select ${columns}, ${accessVersion} as stamp from artifact ${joinTrackerProjectAndMe} where ${which}
        and ${extent.endsWith('regardless') ? sql`true` : sees}
    )
    select main.*,
      ${persons} as persons,
      ${extent.startsWith('head') ? NEITHER : linksAndReferences(sees)}
    from main`
}

const NEITHER = sql`'[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming`

/** Links and references of the artifact in `main` whose other end the viewer sees. */
function linksAndReferences(sees: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    ${asArray(sql`${linkColumns}, ${childColumn} from artifact_link link ${joinEnd(sql`link.target_id`)} ${joinTrackerProjectAndMe}
      where link.source_id = main.id and ${sees} order by link.target_id`)} as forward,
    ${asArray(sql`${linkColumns} from artifact_link link ${joinEnd(sql`link.source_id`)} ${joinTrackerProjectAndMe}
      where link.target_id = main.id and ${sees} order by link.source_id`)} as reverse,
    ${asArray(sql`select reference.ref, reference.keyword, reference.value, reference.of_project, reference.target_id,
        reference.field_id, changeset.comment_groups
      from artifact_reference reference left join changeset on changeset.id = reference.changeset_id
      where reference.artifact_id = main.id and ${leadsSomewhere(sees)} ${OUTGOING_ORDER}`)} as outgoing,
    ${asArray(sql`select reference.artifact_id, artifact.project_id, artifact.tracker_id, reference.field_id,
        changeset.comment_groups, ${accessVersion} as stamp
      from artifact_reference reference ${joinEnd(sql`reference.artifact_id`)} ${joinTrackerProjectAndMe}
        left join changeset on changeset.id = reference.changeset_id
      where reference.target_id = main.id and ${sees} ${INCOMING_ORDER}`)} as incoming`
}

/**
 * True if the target exists in the referenced project and is visible. References to other things than artifacts are not
 * checked. A source key names no project, and has no target while its import runs.
 */
function leadsSomewhere(sees: RawBuilder<boolean>): RawBuilder<boolean> {
  const isKey = sql`reference.keyword = ${sql.lit(KEY_KEYWORD)}`
  return sql`(reference.target_id is null and reference.of_project = main.project_id and not ${isKey} or exists (
    select from artifact ${joinTrackerProjectAndMe} where artifact.id = reference.target_id and ${sees}
      and (reference.of_project in (main.project_id, artifact.project_id) or ${isKey})))`
}

const linkColumns = sql`select artifact.id, link.type,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project`

const childColumn = sql`case link.type when '_is_child' then jsonb_build_object('values', artifact.field_values,
  'stamp', ${accessVersion}, 'submitted_on', artifact.submitted_on) end as child`
