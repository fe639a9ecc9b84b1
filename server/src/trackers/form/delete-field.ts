import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { changeTracker } from '../change-tracker.ts'
import { findElementToChange } from '../find-part.ts'
import { findMirrors } from '../mirror-changes.ts'
import type { Element, FieldId } from '../tracker.ts'
import { arranged } from './arrange-elements.ts'
import { reportElement } from './element-report.ts'
import { requireUnneeded } from './uses-of-field.ts'

export const deleteField = writeRoute({
  method: 'DELETE',
  path: '/tracker_fields/:id',
  operationId: 'deleteTrackerField',
  summary: 'Remove an element that nothing needs. What artifacts have stored stays in their history.',
  access: 'signed_in',
  action: 'tracker.field',
  params: { id: idParam<FieldId>('The element.') },
  status: 204,
  async handle({ context, viewer, params }, work) {
    const { sight, element } = await findElementToChange(context, work.tx, viewer, params.id)
    const { tracker } = sight
    const { parent_id } = tracker
    const parent = parent_id === null ? undefined : await context.trackers.now(work.tx, parent_id)
    requireUnneeded(tracker, parent, element)
    await requireUnmirrored(work.tx, element)

    const rest = tracker.elements.filter(({ id }) => id !== element.id)
    const orphaned = rest.map((each) => (each.parent_id === element.id ? { ...each, parent_id: null } : each))
    const elements = arranged(orphaned)
    const report = reportElement(element.id, tracker.elements, elements)
    await changeTracker(work, tracker, { elements }, { now: context.clock.now(), report })
    return {}
  },
})

/** Copies elsewhere would lose their origin. Where they are may be nobody's business here. */
async function requireUnmirrored(tx: Tx, { id, label }: Element): Promise<void> {
  const mirrors = await findMirrors(tx, [id])
  if (mirrors.length > 0)
    throw new ApiError('rule_violated', { cause: 'field_in_use', used_by: [{ type: 'shared_field', id, label }] })
}
