import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
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
  summary: 'Delete an element that is not in use. Stored values stay in the history of the artifacts.',
  description: 'Deletes an element that is not in use. Tracker administrators. An element in use is 400.',
  access: 'signed_in',
  action: 'tracker.field',
  notifies: true,
  params: { id: idParam<FieldId>('The element.') },
  status: 204,
  async handle({ context, viewer, params }, work) {
    const { access, element } = await findElementToChange(context, work.tx, viewer, params.id)
    const { tracker } = access
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

/**
 * Shared copies would lose their original. The error does not name their trackers, which the caller may not be allowed
 * to see.
 */
async function requireUnmirrored(tx: Tx, { id, label }: Element): Promise<void> {
  const mirrors = await findMirrors(tx, [id])
  if (mirrors.length > 0)
    throw new ApiError('rule_violated', { cause: 'field_in_use', used_by: [{ type: 'shared_field', id, label }] })
}
