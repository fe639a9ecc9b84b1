import type { FullUserRow } from '../../accounts/users/user.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { LinkRow } from '../reading/look-rows.ts'
import { linkJson, buildReadContexts, representPerson } from '../reading/read-context.ts'
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
  past: Past,
): Promise<(artifact: Artifact) => ReadContext> {
  const readingAt = await buildPastReadContexts(audience, [now], past)
  return (artifact) => readingAt(now, artifact)
}

/** The same for several artifacts of one tracker, with as many statements as for one. */
export async function buildPastReadContexts(
  audience: Audience,
  artifacts: readonly FoundArtifact[],
  { people, linksOf, states }: Past,
): Promise<(now: FoundArtifact, artifact: Artifact) => ReadContext> {
  const { context, viewer } = audience
  const readings = await buildReadContexts(audience, artifacts, { charts: true })
  const todayOf = new Map(artifacts.map(({ artifact }, at) => [artifact.id, readings[at]]))
  const file = await findShownFiles(audience, new Set(artifacts.flatMap(({ access }) => access.readable)), states)
  const persons = new Map(people.map((row) => [row.id, representPerson(context, viewer, row)]))
  return (now, artifact) => {
    const today = todayOf.get(now.artifact.id)
    if (!today) throw new TypeError('This artifact was not loaded.')
    return {
      ...today,
      facts: artifact,
      values: artifact.field_values,
      user: (id) => persons.get(id),
      file,
      links: { ...today.links, forward: linksOf(artifact.field_values).map(linkJson) },
    }
  }
}
