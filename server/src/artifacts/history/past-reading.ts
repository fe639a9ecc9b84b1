import type { FullUserRow } from '../../accounts/users/user.ts'
import type { Reading } from '../../trackers/fields/field-type.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import type { FoundArtifact, LinkRow } from '../reading/find-artifact.ts'
import { type Audience, linkJson, readingOf, representPerson } from '../reading/reading.ts'
import { findShownFiles } from '../reading/shown-files.ts'

interface Past {
  readonly people: readonly FullUserRow[]
  readonly linksOf: (values: StoredValues) => readonly LinkRow[]
  /** All values that will be shown. */
  readonly states: readonly StoredValues[]
}

/** What values of the past are shown with: sums, charts, references and links from elsewhere are those of today. */
export async function pastReading(
  audience: Audience,
  now: FoundArtifact,
  { people, linksOf, states }: Past,
): Promise<(artifact: Artifact) => Reading> {
  const { context, viewer } = audience
  const today = await readingOf(audience, now)
  const file = await findShownFiles(audience, now.sight.readable, states)
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
