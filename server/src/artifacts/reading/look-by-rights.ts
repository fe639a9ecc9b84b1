import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { confirmSignIn, CREDENTIAL_PLACEHOLDER, PRESENT_STAMPS } from '../../accounts/sign-in/recalled-sign-in.ts'
import { usersByIdSql } from '../../accounts/users/user.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { RecalledSignIn, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { KEY_KEYWORD } from '../../projects/references/source-keys.ts'
import { stampsOf } from '../../trackers/load-tracker.ts'
import type { TrackerVisibility } from '../../trackers/tracker-access.ts'
import type { StoredValues, TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import {
  artifactColumns,
  asArray,
  type IncomingRow,
  type LinkRow,
  type LookRow,
  type ReferenceRow,
} from './look-rows.ts'

const [FORWARD, REVERSE, OUTGOING, INCOMING] = [0, 1, 2, 3] as const

/** The other end of a link or a reference, whether the viewer sees it or not. */
type SelectedEnd = readonly [
  kind: typeof FORWARD | typeof REVERSE | typeof OUTGOING | typeof INCOMING,
  /** Null: a reference to something else than an artifact. */
  id: ArtifactId | null,
  type: string,
  /** Null: there is no such artifact. */
  tracker_id: TrackerId | null,
  restricted_to: readonly number[] | null,
  is_deleted: boolean,
  project_id: number,
  ref: string,
  keyword: string,
  value: string,
  of_project: number,
  field_id: number,
  comment_groups: readonly number[] | null,
  child: { readonly values: StoredValues; readonly submitted_on: string } | null,
]

/** An artifact with all of its ends, and the access versions of all trackers concerned. */
export interface SelectedLook extends Artifact {
  readonly is_deleted: boolean
  readonly persons: LookRow['persons']
  readonly ends: readonly SelectedEnd[]
  readonly stamps: readonly { readonly id: TrackerId; readonly stamp: string }[]
  readonly sign_in: string | null
}

type Rights = ReadonlyMap<TrackerId, TrackerVisibility>

/**
 * The artifact with what the viewer sees around it, by remembered rights: the statement checks nothing and returns the
 * access version of every tracker concerned, at which the rights must have been decided. `hidden`: the viewer does not
 * see it, or it does not exist. `undecided`: rights have changed meanwhile or depend on single artifacts; ask SQL.
 */
export async function lookUpByRights(
  context: Pick<Context, 'trackerVisibility'>,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
  recalled?: RecalledSignIn,
): Promise<LookRow | 'hidden' | 'undecided'> {
  const signIn = recalled?.kind ?? 'none'
  const statement =
    statements.get(signIn) ?? uncheckedLook(sql`${PLACEHOLDER_ID}`, sql`${null}::bigint`, signIn).compile(db)
  statements.set(signIn, statement)
  const parameters = statement.parameters.map((each) =>
    each === PLACEHOLDER_ID ? id : each === CREDENTIAL_PLACEHOLDER ? recalled?.id : (viewer.account_id ?? null),
  )
  const { rows } = await db.executeQuery<SelectedLook>({ ...statement, parameters })
  const [look] = rows
  if (!look) return 'hidden'
  if (recalled) confirmSignIn(recalled, look.sign_in)
  if (look.is_deleted) return 'hidden'
  const stamps = new Map(look.stamps.map((each) => [each.id, each.stamp]))
  const rights = await context.trackerVisibility.at(db, viewer, stamps)
  if (!rights) return 'undecided'
  if (rights.get(look.tracker_id)?.sees === 'none') return 'hidden'
  for (const { sees } of rights.values()) if (sees === 'partial') return 'undecided'
  return limitToRights(look, rights) ?? 'hidden'
}

/** Removes everything that the viewer does not see; undefined if that is the artifact itself. */
function limitToRights(look: SelectedLook, rights: Rights): LookRow | undefined {
  const { is_deleted, stamps: _, sign_in: _signIn, ends, ...artifact } = look
  const own = visibleIn(rights, look.tracker_id, look.restricted_to, is_deleted)
  if (!own) return undefined
  const forward: LinkRow[] = []
  const reverse: LinkRow[] = []
  const outgoing: ReferenceRow[] = []
  const incoming: IncomingRow[] = []
  for (const end of ends) {
    const [kind, id, type, tracker_id, restricted_to, isEndDeleted, project_id] = end
    const seen = visibleIn(rights, tracker_id, restricted_to, isEndDeleted)
    const [, , , , , , , ref, keyword, value, of_project, field_id, comment_groups, child] = end
    if (kind === OUTGOING) {
      if (leadsSomewhere(end, seen !== undefined, artifact.project_id))
        outgoing.push({ ref, keyword, value, of_project, target_id: id, field_id, comment_groups })
    } else if (seen && id !== null) {
      const { tracker, project, stamp } = seen
      if (kind === FORWARD) forward.push({ id, type, tracker, project, child: child && { ...child, stamp } })
      else if (kind === REVERSE) reverse.push({ id, type, tracker, project })
      else incoming.push({ artifact_id: id, project_id, tracker_id: seen.id, field_id, comment_groups, stamp })
    }
  }
  return { ...artifact, stamp: own.stamp, forward, reverse, outgoing, incoming }
}

/** The rights in the tracker of an artifact, if they suffice to see it. */
function visibleIn(
  rights: Rights,
  tracker: TrackerId | null,
  restricted_to: readonly number[] | null,
  isDeleted: boolean,
): TrackerVisibility | undefined {
  const there = tracker === null || isDeleted ? undefined : rights.get(tracker)
  if (!there || there.sees === 'all') return there
  const isUnrestricted = restricted_to === null || restricted_to.some((group) => there.groups.includes(group))
  return there.sees === 'unrestricted' && isUnrestricted ? there : undefined
}

/** As the condition of the same name in `look-by-sql.ts`. */
function leadsSomewhere(end: SelectedEnd, isSeen: boolean, own: number): boolean {
  const [, id, , , , , project_id, , keyword, , of_project] = end
  const isKey = keyword === KEY_KEYWORD
  if (id === null) return of_project === own && !isKey
  return isSeen && (isKey || of_project === own || of_project === project_id)
}

const PLACEHOLDER_ID = toId<ArtifactId>(Number.MAX_SAFE_INTEGER)
/** Compiled once for each kind of sign-in to confirm. */
const statements = new Map<keyof typeof PRESENT_STAMPS, CompiledQuery<SelectedLook>>()

/**
 * One row of the artifact with this id, even if it is deleted, without any check: the caller removes what the viewer does
 * not see. All ends are one list, because each list of its own would take as long as the row itself.
 */
export function uncheckedLook(
  id: RawBuilder<unknown>,
  account: RawBuilder<unknown>,
  signIn: keyof typeof PRESENT_STAMPS,
): RawBuilder<SelectedLook> {
  const named = sql`artifact.people || artifact.submitted_by || artifact.last_update_by || ${account}`
  const noReference = sql`null::text as ref, null::text as keyword, null::text as value, null::bigint as of_project,
    null::bigint as field_id, null::bigint as changeset_id`
  const reference = sql`reference.ref, reference.keyword, reference.value, reference.of_project, reference.field_id,
    reference.changeset_id`
  return sql<SelectedLook>`
    select ${artifactColumns}, artifact.deleted_on is not null as is_deleted, ${asArray(usersByIdSql(named))} as persons,
      around.ends, ${stampsOf(sql`artifact.tracker_id || around.trackers`)} as stamps,
      ${PRESENT_STAMPS[signIn]} as sign_in
    from artifact cross join (
      select array_agg(artifact.tracker_id) as trackers, coalesce(json_agg(json_build_array(
          each.kind, each.id, each.type, artifact.tracker_id, artifact.restricted_to, artifact.deleted_on is not null,
          artifact.project_id, each.ref, each.keyword, each.value, each.of_project, each.field_id,
          changeset.comment_groups, case when each.kind = ${sql.lit(FORWARD)} and each.type = '_is_child'
            then jsonb_build_object('values', artifact.field_values, 'submitted_on', artifact.submitted_on) end)
        order by each.kind, each.place, each.ref, each.field_id, each.changeset_id), '[]') as ends
      from (
        select ${sql.lit(FORWARD)} as kind, link.target_id as id, link.target_id as place, link.type, ${noReference}
        from artifact_link link where link.source_id = ${id}
        union all
        select ${sql.lit(REVERSE)}, link.source_id, link.source_id, link.type, ${noReference}
        from artifact_link link where link.target_id = ${id}
        union all
        select ${sql.lit(OUTGOING)}, reference.target_id, 0, null, ${reference}
        from artifact_reference reference where reference.artifact_id = ${id}
        union all
        select ${sql.lit(INCOMING)}, reference.artifact_id, reference.artifact_id, null, ${reference}
        from artifact_reference reference where reference.target_id = ${id}
      ) each left join artifact on artifact.id = each.id left join changeset on changeset.id = each.changeset_id
    ) around
    where artifact.id = ${id}`
}
