import { ValueFault } from '../../trackers/fields/field-type.ts'
import { type Sight, sightOf } from '../../trackers/sight.ts'
import type { Element, StoredValues } from '../../trackers/tracker.ts'
import { frozenFields } from '../../trackers/workflow/frozen-fields.ts'
import { linksIn } from '../writing/effects.ts'
import { linkFieldOf } from './link-field.ts'
import type { End } from './find-ends.ts'
import type { LinkPlanning, ReverseLink } from './plan-links.ts'

/** Refuses to change a link where it starts, unless the caller may change the links of that artifact. */
export async function requireSource(
  { context, db, viewer, found }: LinkPlanning,
  source: End,
  link: Pick<ReverseLink, 'type' | 'path'>,
): Promise<void> {
  const { path } = link
  const unknown = () =>
    new ValueFault('reference_unknown', { cause: 'link_source_unknown', path, params: { id: source.id } })
  if (!source.is_active) throw unknown()
  const tracker = await context.trackers.at(db, source.tracker_id, source.stamp)
  if (!tracker) throw unknown()
  const field = writableLinkField(await sightOf(db, tracker, viewer))
  if (!field) throw new ValueFault('value_not_allowed', { cause: 'link_field_missing', path })
  if (frozenFields(tracker, source.field_values).has(field.id))
    throw new ValueFault('rule_violated', { cause: 'field_frozen', path })
  const isLast = link.type === null && onlyLinkTo(field, source.field_values, found?.artifact.id)
  if (field.is_required && isLast) throw new ValueFault('field_required', { rule: 'required', path })
}

export function writableLinkField(sight: Sight): Element | undefined {
  const field = linkFieldOf(sight.tracker)
  return field && sight.mayUpdate(field) ? field : undefined
}

function onlyLinkTo(field: Element, values: StoredValues, target: number | undefined): boolean {
  return linksIn(values[String(field.id)]).every((each) => each.target === target)
}
