import { Type } from 'typebox'
import { permissionError } from '../accounts/auth-errors.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { readJsonQuery } from '../platform/wire/json-query.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { ProjectStatus } from './project.ts'

export type ProjectFilter =
  | { by: 'everything' | 'tracker_admin' | 'member' | 'admin' | 'template' }
  | { by: 'shortname'; shortname: string }
  | { by: 'status'; status: ProjectStatus }

const Query = Type.Object({
  shortname: Type.Optional(Type.String()),
  is_tracker_admin: Type.Optional(Type.Boolean()),
  with_status: Type.Optional(
    Type.Enum(['active', 'archived', 'importing', 'pending', 'suspended', 'deleted', 'system']),
  ),
  is_member_of: Type.Optional(Type.Boolean()),
  is_admin_of: Type.Optional(Type.Boolean()),
  is_template: Type.Optional(Type.Boolean()),
})

/** If several keys are given, the first one in this order applies and the others are ignored. */
export function parseProjectsQuery(text: string | undefined, viewer: Viewer): ProjectFilter {
  const { shortname, is_tracker_admin, with_status, is_member_of, is_admin_of, is_template } = readJsonQuery(
    Query,
    text,
  )
  if (shortname !== undefined) return { by: 'shortname', shortname }
  if (is_tracker_admin !== undefined) return requireTrue('tracker_admin', is_tracker_admin, 'is_tracker_admin')
  if (with_status !== undefined) {
    // Archived projects are readable, but in no other list; deleted ones are listed for those who may restore them.
    const isForAll = with_status === 'archived' || (with_status === 'deleted' && viewer.account_id !== undefined)
    if (!isForAll && !viewer.is_site_admin) throw permissionError(viewer, 'site_admin')
    return { by: 'status', status: with_status }
  }
  if (is_member_of !== undefined) return requireTrue('member', is_member_of, 'is_member_of')
  if (is_admin_of !== undefined) return requireTrue('admin', is_admin_of, 'is_admin_of')
  if (is_template !== undefined) return requireTrue('template', is_template, 'is_template')
  return { by: 'everything' }
}

/** Only `true` is supported: the API has no negated lists. */
function requireTrue(
  by: 'tracker_admin' | 'member' | 'admin' | 'template',
  value: boolean,
  key: string,
): ProjectFilter {
  if (!value) throw new ApiError('parameter_not_allowed', { path: `query.${key}`, rule: 'one_of', allowed: [true] })
  return { by }
}
