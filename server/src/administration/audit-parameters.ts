import { type Static, type TObject, Type } from 'typebox'
import type { AuditLogFilter } from '../platform/database/audit-filter.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { rangeParameters, readTimeRange } from '../platform/wire/time-range.ts'
import type { Viewer } from '../platform/http/viewer.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    /** All action names of audit entries. */
    readonly auditActions: ReadonlySet<string>
  }
}

const text = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }))
const id = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))

/** Filters of the audit log. */
export const auditParameters = {
  actor: id('Who did it: the id of a user.'),
  action: text('What was done: a name, or a beginning like `user.*`.'),
  object: text('To what: a `uri`.'),
  project: id('In which project.'),
  address: text('From which address.'),
  request_id: text('In which request.'),
  outcome: Type.Optional(Type.Enum(['done', 'refused'])),
  ...rangeParameters,
}

export type AuditParameters = Static<TObject<typeof auditParameters>>

/** An unknown action is an error; a filter without matches returns an empty list. */
export function parseAuditFilter(context: Context, viewer: Viewer, given: AuditParameters): AuditLogFilter {
  const { actor, action, object, project, address, request_id, outcome } = given
  const { auditActions: known } = context
  if (action !== undefined && !isKnown(known, action))
    throw new ApiError('parameter_not_allowed', { path: 'action', rule: 'one_of', allowed: [...known].toSorted() })
  const range = readTimeRange(context, viewer, given)
  return { actor, action, object, project, address, request_id, outcome, ...range }
}

function isKnown(actions: ReadonlySet<string>, action: string): boolean {
  if (!action.endsWith('*')) return actions.has(action)
  return actions.values().some((each) => each.startsWith(action.slice(0, -1)))
}
