import type { FullUserRow } from '../../accounts/users/user.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { LinkRow } from '../reading/look-rows.ts'
import { linkJson, buildReadContext, representPerson } from '../reading/read-context.ts'
import type { Audience } from '../reading/audience.ts'
import { findShownFiles } from '../reading/shown-files.ts'

interface Past {
  readonly people: readonly FullUserRow[]
  readonly linksOf: (values: StoredValues) => readonly LinkRow[]
  /** All values that are shown. */
  readonly states: readonly StoredValues[]
}

/** The read context of past values: sums, charts, references and reverse links are current. */
export async function buildPastReadContext(
  audience: Audience,
  now: FoundArtifact,
  { people, linksOf, states }: Past,
): Promise<(artifact: Artifact) => ReadContext> {
  const { context, viewer } = audience
  const today = await buildReadContext(audience, now)
  const file = await findShownFiles(audience, now.access.readable, states)
  const persons = new Map(people.map((row) => [row.id, representPerson(context, viewer, row)]))
  return (artifact) => ({
    ...today,
    facts: artifact,
    values: artifact.field_values,
    user: (id) => persons.get(id),
    file,
    links: { ...today.links, forward: linksOf(artifact.field_values).map(linkJson) },
  })
}
