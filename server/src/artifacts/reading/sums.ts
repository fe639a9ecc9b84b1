import { summedName } from '../../trackers/fields/computed.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import { addUp, childrenOf, type Descendant, findFamily, storedNow } from './descendants.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './reading.ts'

export type Sums = ReadonlyMap<FieldId, number | null>

/** The automatic values of computed fields, of what the viewer may read; by artifact. */
export async function computeSums(
  audience: Audience,
  artifacts: readonly FoundArtifact[],
): Promise<ReadonlyMap<ArtifactId, Sums>> {
  const parents = artifacts.filter(({ forward }) => forward.some(({ type }) => type === CHILD))
  const computed = parents.flatMap(({ artifact, sight }) =>
    sight.readable.filter(({ type }) => type === 'computed').map((field) => ({ id: artifact.id, field })),
  )
  const sums = new Map<ArtifactId, Map<FieldId, number | null>>(parents.map(({ artifact }) => [artifact.id, new Map()]))
  const known = new Map<ArtifactId, Descendant[]>()
  if (computed.length > 0)
    for (const parent of parents) known.set(parent.artifact.id, await childrenOf(audience, parent))
  for (const [name, those] of Map.groupBy(computed, ({ field }) => summedName(field))) {
    const ids = those.map(({ id }) => id)
    const family = await findFamily(audience, ids, name, { known })
    for (const { id, field } of those) sums.get(id)?.set(field.id, addUp(family, id, name, storedNow))
  }
  return sums
}
