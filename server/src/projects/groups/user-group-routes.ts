import type { Route } from '../../platform/http/route.ts'
import { changeGroupUsers } from './change-group-users.ts'
import { createUserGroup } from './create-user-group.ts'
import { deleteUserGroup } from './delete-user-group.ts'
import { getUserGroup } from './get-user-group.ts'
import { listGroupUsers } from './list-group-users.ts'
import { listMembership } from './list-membership.ts'
import { replaceGroupUsers } from './replace-group-users.ts'
import { updateUserGroup } from './update-user-group.ts'

/** Groups, their members, and the groups of a person. */
export const USER_GROUP_ROUTES: readonly Route[] = [
  createUserGroup,
  getUserGroup,
  updateUserGroup,
  deleteUserGroup,
  listGroupUsers,
  replaceGroupUsers,
  changeGroupUsers,
  listMembership,
]
