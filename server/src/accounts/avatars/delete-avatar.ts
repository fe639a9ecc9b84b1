import { writeRoute } from '../../platform/http/route.ts'
import { permissionError } from '../auth-errors.ts'
import { userParam } from '../users/find-user.ts'
import { lockUser } from '../users/update-user.ts'
import { writeAvatarKey } from './write-avatar-key.ts'

export const deleteAvatar = writeRoute({
  method: 'DELETE',
  path: '/users/:id/avatar',
  operationId: 'deleteAvatar',
  summary: 'Delete the picture of an account.',
  description:
    'Removes the picture, if there is one: clients show initials or a pattern then. The account itself, and site administrators. Accounts that the caller may not see are 404.',
  access: 'signed_in',
  action: 'user.update',
  params: { id: userParam },
  async handle({ context, viewer, params }, work) {
    const { id } = await lockUser(work.tx, context, viewer, params.id)
    if (!viewer.is_site_admin && viewer.account_id !== id) throw permissionError(viewer, 'site_admin', 'owner')
    await work.tx.deleteFrom('avatar').where('account_id', '=', id).execute()
    await writeAvatarKey(work, id, null)
    return {}
  },
})
