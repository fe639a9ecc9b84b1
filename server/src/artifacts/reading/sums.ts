import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import { sumDescendants, childrenOf, type Descendant, findFamily, storedNow } from './descendants.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './audience.ts'

export type Sums = ReadonlyMap<FieldId, number | null>

/** The computed values of sum fields from readable artifacts, by artifact. */
export async function computeSums(
  audience: Audience,
  artifacts: readonly FoundArtifact[],
): Promise<ReadonlyMap<ArtifactId, Sums>> {
  const parents = artifacts.filter(({ forward }) => forward.some(({ type }) => type === CHILD))
  const computed = parents.flatMap(({ artifact, access }) =>
    access.readable.flatMap((field) => {
      const summed = fieldTypeOf(field).sums?.(field)
      return summed === undefined ? [] : [{ id: artifact.id, field, summed }]
    }),
  )
  const sums = new Map<ArtifactId, Map<FieldId, number | null>>(parents.map(({ artifact }) => [artifact.id, new Map()]))
  const known = new Map<ArtifactId, Descendant[]>()
  if (computed.length > 0)
    for (const parent of parents) known.set(parent.artifact.id, await childrenOf(audience, parent))
  for (const [name, those] of Map.groupBy(computed, ({ summed }) => summed)) {
    const ids = those.map(({ id }) => id)
    const family = await findFamily(audience, ids, name, { known })
    for (const { id, field } of those) sums.get(id)?.set(field.id, sumDescendants(family, id, name, storedNow))
  }
  return sums
}
