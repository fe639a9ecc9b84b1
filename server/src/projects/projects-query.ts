import { Type } from 'typebox'
import { refusedTo } from '../accounts/refusals.ts'
import { ApiError } from '../platform/words/errors.ts'
import { readJsonQuery } from '../platform/wire/json-query.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { ProjectStatus } from './project.ts'

export type Wanted =
  | { by: 'everything' | 'tracker_admin' | 'member' | 'admin' }
  | { by: 'shortname'; shortname: string }
  | { by: 'status'; status: ProjectStatus }

const Query = Type.Object({
  shortname: Type.Optional(Type.String()),
  is_tracker_admin: Type.Optional(Type.Boolean()),
  with_status: Type.Optional(Type.Enum(['active', 'pending', 'suspended', 'deleted', 'system'])),
  is_member_of: Type.Optional(Type.Boolean()),
  is_admin_of: Type.Optional(Type.Boolean()),
})

/** Of several keys the first of this order decides, and the others are not looked at. */
export function readProjectsQuery(text: string | undefined, viewer: Viewer): Wanted {
  const { shortname, is_tracker_admin, with_status, is_member_of, is_admin_of } = readJsonQuery(Query, text)
  if (shortname !== undefined) return { by: 'shortname', shortname }
  if (is_tracker_admin !== undefined) return onlyTrue('tracker_admin', is_tracker_admin, 'is_tracker_admin')
  if (with_status !== undefined) {
    if (!viewer.is_site_admin) throw refusedTo(viewer, 'site_admin')
    return { by: 'status', status: with_status }
  }
  if (is_member_of !== undefined) return onlyTrue('member', is_member_of, 'is_member_of')
  if (is_admin_of !== undefined) return onlyTrue('admin', is_admin_of, 'is_admin_of')
  return { by: 'everything' }
}

/** There is no list of what one is not. */
function onlyTrue(by: 'tracker_admin' | 'member' | 'admin', value: boolean, key: string): Wanted {
  if (!value) throw new ApiError('parameter_not_allowed', { path: `query.${key}`, rule: 'one_of', allowed: [true] })
  return { by }
}
