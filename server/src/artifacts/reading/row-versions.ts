import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { confirmSignIn, CREDENTIAL_PLACEHOLDER, PRESENT_STAMPS } from '../../accounts/sign-in/recalled-sign-in.ts'
import { userRowVersionsSql } from '../../accounts/users/user.ts'
import { fileRowVersion } from '../../files/find-files.ts'
import { joinFile } from '../../files/names-of-files.ts'
import type { RecalledSignIn } from '../../platform/http/viewer.ts'
import type { Db } from '../../platform/database/db.ts'
import { parseId, toId } from '../../platform/database/ids.ts'
import { presentSnapshot } from '../../platform/database/snapshots.ts'
import type { Context } from '../../platform/operation/context.ts'
import { accessVersion, trackerRowVersion } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { fromTrackers } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import type { IncomingReferences } from '../links/incoming-references.ts'
import { CHILD } from '../links/link-field.ts'

/** A tracker, and the access version of it that the statement has read. */
export interface StampedTracker {
  readonly id: TrackerId
  readonly stamp: string
}

/** The versions of all rows that a representation of an artifact is made of, the same for all viewers. */
export interface RowVersions {
  /** Equal texts: the same rows, unchanged. */
  readonly text: string
  /** Of the artifact and of the other ends of its links and references, hidden ones included. */
  readonly trackers: readonly StampedTracker[]
  /** The state of the database that they were read in (`snapshots.ts`). */
  readonly snapshot: string
}

/** `family`: with all descendants, for sums. */
export type RowExtent = 'near' | 'family'
export type RowVersionsStatements = Readonly<
  Record<RowExtent, Readonly<Record<keyof typeof PRESENT_STAMPS, CompiledQuery<Row>>>>
>

interface Row {
  readonly versions: string
  readonly trackers: readonly string[]
  readonly is_named_elsewhere: boolean
  readonly sign_in: string | null
  readonly snapshot: string
}

/**
 * Reads them by one statement; undefined if there is no such artifact, or if other rooms refer to it. PostgreSQL changes
 * `xmin` with every write to a row, by whatever statement of whatever version of the server.
 */
export async function readRowVersions(
  { db, snapshots }: Pick<Context, 'db' | 'snapshots'>,
  statements: RowVersionsStatements[RowExtent],
  artifact: ArtifactId,
  recalled: RecalledSignIn | undefined,
): Promise<RowVersions | undefined> {
  const statement = statements[recalled?.kind ?? 'none']
  const parameters = statement.parameters.map((each) => (each === CREDENTIAL_PLACEHOLDER ? recalled?.id : artifact))
  const { rows } = await db.executeQuery<Row>({ ...statement, parameters })
  const [row] = rows
  if (!row) return undefined
  const snapshot = snapshots.note(row.snapshot)
  if (recalled) confirmSignIn(recalled, row.sign_in, snapshot)
  if (row.is_named_elsewhere) return undefined
  return { text: `${row.versions} ${row.trackers.join(' ')}`, trackers: row.trackers.map(parseTracker), snapshot }
}

/** Compiled once: compiling takes longer than running. */
export function compileRowVersions(db: Db, elsewhere: readonly IncomingReferences[]): RowVersionsStatements {
  const compile = (signIn: keyof typeof PRESENT_STAMPS, family: RawBuilder<unknown>, links: RawBuilder<unknown>) =>
    rowVersions(elsewhere, signIn, family, links).compile(db)
  const compileAll = (family: RawBuilder<unknown>, links: RawBuilder<unknown>) => ({
    none: compile('none', family, links),
    access_key: compile('access_key', family, links),
    session: compile('session', family, links),
  })
  return { near: compileAll(sql``, sql``), family: compileAll(descendants, descendantLinks) }
}

// The only parameter.
const id = sql`${toId<ArtifactId>(Number.MAX_SAFE_INTEGER)}::bigint`

const descendants = sql`recursive below as (
    select link.target_id as id from artifact_link link where link.source_id = ${id} and link.type = ${sql.lit(CHILD)}
    union
    select link.target_id from artifact_link link join below on link.source_id = below.id
    where link.type = ${sql.lit(CHILD)}
  ),`
const descendantLinks = sql`union all
  select link.xmin, null, link.target_id from artifact_link link join below on link.source_id = below.id
  where link.type = ${sql.lit(CHILD)}`

function rowVersions(
  elsewhere: readonly IncomingReferences[],
  signIn: keyof typeof PRESENT_STAMPS,
  family: RawBuilder<unknown>,
  familyLinks: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`
    with ${family} main as materialized (
      select artifact.xmin as row_version, artifact.tracker_id,
        artifact.people || artifact.submitted_by || artifact.last_update_by as people
      from artifact where artifact.id = ${id}
    ), ends as materialized (
      select near.link, near.comment, artifact.xmin as row_version, artifact.tracker_id from (
        select link.xmin as link, null::xid as comment, link.target_id as id
        from artifact_link link where link.source_id = ${id}
        union all
        select link.xmin, null, link.source_id from artifact_link link where link.target_id = ${id}
        union all
        select reference.xmin, changeset.xmin, reference.target_id from artifact_reference reference
          left join changeset on changeset.id = reference.changeset_id where reference.artifact_id = ${id}
        union all
        select reference.xmin, changeset.xmin, reference.artifact_id from artifact_reference reference
          left join changeset on changeset.id = reference.changeset_id where reference.target_id = ${id}
        ${familyLinks}
      ) near left join artifact on artifact.id = near.id
    )
    select concat_ws(' ', pg_postmaster_start_time(), main.row_version,
        array(select concat_ws(':', ends.link, ends.comment, ends.row_version) from ends),
        array(${userRowVersionsSql(sql`main.people`)}),
        array(select ${fileRowVersion} from artifact_file ${joinFile(sql`artifact_file.file_id`)}
          where artifact_file.artifact_id = ${id})) as versions,
      array(select concat_ws('=', tracker.id, ${accessVersion}, ${trackerRowVersion})
        from ${fromTrackers(sql`(array(select ends.tracker_id from ends) || main.tracker_id)`)}) as trackers,
      (${sql.join([sql`false`, ...elsewhere.map((source) => source.exists(id))], sql` or `)}) as is_named_elsewhere,
      ${PRESENT_STAMPS[signIn]} as sign_in, ${presentSnapshot} as snapshot
    from main`
}

function parseTracker(text: string): StampedTracker {
  const [tracker = '', stamp = ''] = text.split('=')
  return { id: parseId<TrackerId>(tracker, 'tracker'), stamp }
}
