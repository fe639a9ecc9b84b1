import { sql } from 'kysely'
import { type FullUserRow, usersWith } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'

interface Named {
  readonly field_values: StoredValues
  readonly last_update_by: AccountId | null
}

/** Everybody whom the artifact and its past versions name, in at most one more statement. */
export async function findPastPeople(
  { db }: Audience,
  { sight, people }: FoundArtifact,
  versions: readonly Named[],
): Promise<readonly FullUserRow[]> {
  const wanted = versions.flatMap(({ field_values, last_update_by }) => [
    ...(last_update_by === null ? [] : [last_update_by]),
    ...sight.tracker.elements.flatMap((element) => {
      const stored = field_values[String(element.id)]
      return stored === undefined ? [] : (fieldTypeOf(element).people?.(stored, element) ?? [])
    }),
  ])
  const known = new Set(people.map(({ id }) => id))
  const unknown = [...new Set(wanted)].filter((id) => !known.has(id))
  if (unknown.length === 0) return people
  const { rows } = await sql<FullUserRow>`
    ${usersWith(sql`${unknown}::bigint[]`)}`.execute(db)
  return [...people, ...rows]
}
