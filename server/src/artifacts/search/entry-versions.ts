import { type RawBuilder, sql } from 'kysely'
import { userRowVersionsByIdSql } from '../../accounts/users/user.ts'
import type { ArtifactId } from '../artifact.ts'

/** The versions of the rows that entries of a list are made of, apart from the tracker. */
export interface EntryVersions {
  /** By the id of the artifact. */
  readonly artifacts: ReadonlyMap<ArtifactId, string>
  /** By the id of the account. */
  readonly people: ReadonlyMap<number, string>
}

/** The object that the statement selects: pairs of id and version. */
export interface SelectedVersions {
  /** A restarted database may be a restored one, which uses transaction ids again. */
  readonly started: string
  readonly artifacts: readonly (readonly [ArtifactId, string])[] | null
  readonly people: readonly (readonly [number, string])[] | null
}

/** The versions for these artifacts, as one object. PostgreSQL changes `xmin` with every write to a row. */
export function entryVersionsSql(ids: RawBuilder<unknown>): RawBuilder<SelectedVersions> {
  return sql`(with shown as materialized (
      select artifact.id, artifact.xmin as version, artifact.people || artifact.submitted_by || artifact.last_update_by as people
      from artifact where artifact.id = any(array(${ids}))
    )
    select json_build_object('started', pg_postmaster_start_time(),
      'artifacts', (select json_agg(json_build_array(shown.id, shown.version)) from shown),
      'people', (select json_agg(json_build_array(person.id, person.version))
        from (${userRowVersionsByIdSql(sql`array(select distinct unnest(shown.people) from shown)`)}) person)))`
}

export function toEntryVersions({ started, artifacts, people }: SelectedVersions): EntryVersions {
  const dated = <Id extends number>(rows: readonly (readonly [Id, string])[] | null) =>
    new Map((rows ?? []).map(([id, version]) => [id, `${version} ${started}`]))
  return { artifacts: dated(artifacts), people: dated(people) }
}
