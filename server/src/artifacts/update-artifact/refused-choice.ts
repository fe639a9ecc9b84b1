import type { Cause, ErrorProblem } from '../../platform/messages/reasons.ts'
import { suggestName } from '../../platform/wire/nearest.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { FieldWriteContext, ValueFault } from '../../trackers/field-types/field-type.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'

/** An error lists no more values than people read. */
export const MAX_LISTED_CHOICES = 50

const CAUSES: ReadonlySet<Cause> = new Set(['list_value_unknown', 'list_value_hidden', 'user_unknown', 'group_unknown'])

/**
 * The values that can be chosen instead of a refused one. A submitter who may not read the field learns none of them.
 */
export async function describeChoices(
  { mayRead }: Pick<TrackerAccess, 'mayRead'>,
  element: Element,
  { details: { cause, path = '' } }: ValueFault,
  raw: unknown,
  writing: Pick<FieldWriteContext, 'listOffered'>,
): Promise<Pick<ErrorProblem, 'allowed' | 'nearest'>> {
  if (cause === undefined || !CAUSES.has(cause) || !mayRead(element)) return {}
  const offered = await writing.listOffered(element)
  const given = valueAt(raw, path)
  const labels = offered.map(({ label }) => label)
  return {
    allowed: offered.slice(0, MAX_LISTED_CHOICES),
    ...(typeof given === 'string' && suggestName(given.trim(), labels)),
  }
}

/** The value at a path such as `value.granted_groups[1]`. */
function valueAt(raw: unknown, path: string): unknown {
  let value = raw
  for (const step of path.split(/[.[\]]+/)) {
    if (step === '') continue
    if (Array.isArray(value)) value = value[Number(step)]
    else value = isRecord(value) ? value[step] : undefined
  }
  return value
}
