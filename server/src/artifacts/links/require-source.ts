import { ValueFault } from '../../trackers/field-types/field-type.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, StoredValues } from '../../trackers/tracker.ts'
import { frozenFields } from '../../trackers/workflow/frozen-fields.ts'
import { linkFieldOf, storedLinkRows } from './link-field.ts'
import type { LinkEnd } from './find-link-ends.ts'
import type { LinkPlanning, ReverseLink } from './link-planning.ts'

/** Requires that the caller may change the links of the source artifact. */
export async function requireWritableSource(
  { context, db, viewer, found }: LinkPlanning,
  source: LinkEnd,
  link: Pick<ReverseLink, 'type' | 'path'>,
): Promise<void> {
  const { path } = link
  const unknown = () =>
    new ValueFault('reference_unknown', { cause: 'link_source_unknown', path, params: { id: source.id } })
  if (!source.is_active) throw unknown()
  const tracker = await context.trackers.at(db, source.tracker_id, source.stamp)
  if (!tracker) throw unknown()
  const field = writableLinkField(await getTrackerAccess(db, tracker, viewer))
  if (!field) throw new ValueFault('value_not_allowed', { cause: 'link_field_missing', path })
  if (frozenFields(tracker, source.field_values).has(field.id))
    throw new ValueFault('rule_violated', { cause: 'field_frozen', path })
  const isLast = link.type === null && onlyLinkTo(field, source.field_values, found?.artifact.id)
  if (field.is_required && isLast) throw new ValueFault('field_required', { rule: 'required', path })
}

export function writableLinkField(access: TrackerAccess): Element | undefined {
  const field = linkFieldOf(access.tracker)
  return field && access.mayUpdate(field) ? field : undefined
}

function onlyLinkTo(field: Element, values: StoredValues, target: number | undefined): boolean {
  return storedLinkRows(values[String(field.id)]).every((each) => each.target === target)
}
