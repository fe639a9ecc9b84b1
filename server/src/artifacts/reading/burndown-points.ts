import { summedName } from '../../trackers/fields/computed.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import { addUp, type Family, findFamily, numberNamed } from './descendants.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './reading.ts'
import type { ChartDay } from './timeframe.ts'
import { findValueHistory } from './value-history.ts'

/**
 * What was left to do at the end of each day, as the history of values says; null: nobody had said. The children are
 * those of today: what was taken out of the plan does not count, what was put in counts from when it was there.
 */
export async function burndownPoints(
  audience: Audience,
  { artifact, sight }: FoundArtifact,
  days: readonly ChartDay[],
): Promise<{ date: string; remaining_effort: number | null }[]> {
  const field = remainingEffort(sight)
  if (!field) return []
  const name = summedName(field)
  const family: Family =
    field.type === 'computed' ? await findFamily(audience, [artifact.id], name, { everything: true }) : new Map()
  const below = [...family.values()]
    .flat()
    .flatMap((child) =>
      child.sight.readable
        .filter(({ type }) => ['int', 'float', 'computed'].includes(type))
        .map(({ id }) => ({ artifact: child.id, field: id })),
    )
  const history = await findValueHistory(audience, [{ artifact: artifact.id, field: field.id }, ...below])
  return days.map(({ date, until }) => {
    const own = history.at(artifact.id, field.id, until)
    const sum = () => addUp(family, artifact.id, name, (child, id) => history.at(child.id, id, until))
    const remaining_effort = typeof own === 'number' ? own : field.type === 'computed' ? sum() : null
    return { date, remaining_effort }
  })
}

/** What the semantic of progress names; else the field of that name; else the one that is computed. */
function remainingEffort(sight: Sight): Element | undefined {
  const { progress } = sight.tracker.semantics
  if (progress && 'remaining' in progress) return sight.readable.find(({ id }) => id === progress.remaining)
  return numberNamed(sight, 'remaining_effort') ?? sight.readable.find(({ type }) => type === 'computed')
}
