import { sql } from 'kysely'
import { type FullUserRow, usersByIdSql } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'

interface NamingVersion {
  readonly field_values: StoredValues
  readonly last_update_by: AccountId | null
}

/** All people of an artifact, or of several of one tracker, and of past versions; with at most one more statement. */
export async function findPastPeople(
  { db }: Audience,
  { access, people }: Pick<FoundArtifact, 'access' | 'people'>,
  versions: readonly NamingVersion[],
): Promise<readonly FullUserRow[]> {
  const wanted = versions.flatMap(({ field_values, last_update_by }) => [
    ...(last_update_by === null ? [] : [last_update_by]),
    ...access.tracker.elements.flatMap((element) => {
      const stored = field_values[String(element.id)]
      return stored === undefined ? [] : (fieldTypeOf(element).people?.(stored, element) ?? [])
    }),
  ])
  const known = new Set(people.map(({ id }) => id))
  const unknown = [...new Set(wanted)].filter((id) => !known.has(id))
  if (unknown.length === 0) return people
  const { rows } = await sql<FullUserRow>`
    ${usersByIdSql(sql`${unknown}::bigint[]`)}`.execute(db)
  return [...people, ...rows]
}
