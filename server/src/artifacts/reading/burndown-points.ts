import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import { sumDescendants, type Family, findFamily, readableNumberField } from './descendants.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './audience.ts'
import type { ChartDay } from './timeframe.ts'
import { findValueHistory } from './value-history.ts'

/**
 * The remaining effort at the end of each day, from the value history; null if none was set. Uses the current children:
 * removed children do not count, added ones count from their creation.
 */
export async function burndownPoints(
  audience: Audience,
  { artifact, access }: FoundArtifact,
  days: readonly ChartDay[],
): Promise<{ date: string; remaining_effort: number | null }[]> {
  const field = remainingEffort(access)
  if (!field) return []
  const summed = fieldTypeOf(field).sums?.(field)
  const name = summed ?? field.name
  const family: Family =
    summed !== undefined ? await findFamily(audience, [artifact.id], name, { everything: true }) : new Map()
  const below = [...family.values()]
    .flat()
    .flatMap((child) =>
      child.access.readable
        .filter((element) => fieldTypeOf(element).isAmount)
        .map(({ id }) => ({ artifact: child.id, field: id })),
    )
  const history = await findValueHistory(audience, [{ artifact: artifact.id, field: field.id }, ...below])
  return days.map(({ date, until }) => {
    const own = history.at(artifact.id, field.id, until)
    const sum = () => sumDescendants(family, artifact.id, name, (child, id) => history.at(child.id, id, until))
    const remaining_effort = typeof own === 'number' ? own : summed !== undefined ? sum() : null
    return { date, remaining_effort }
  })
}

/** The field of the progress semantic; else the field with the default name; else the computed one. */
function remainingEffort(access: TrackerAccess): Element | undefined {
  const { progress } = access.tracker.semantics
  if (progress && 'remaining' in progress) return access.readable.find(({ id }) => id === progress.remaining)
  return readableNumberField(access, 'remaining_effort') ?? access.readable.find((element) => fieldTypeOf(element).sums)
}
