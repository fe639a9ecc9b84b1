import { ApiError } from '../../platform/messages/errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { AccessKeyId } from './access-key.ts'
import { requireAccount } from '../auth-errors.ts'

export const deleteAccessKey = writeRoute({
  method: 'DELETE',
  path: '/access_keys/:id',
  operationId: 'deleteAccessKey',
  summary: 'Delete an access key of your own. It opens nothing from the very next request on.',
  description:
    'Revokes a key; requests and streams with it end at once. The account that owns it. Keys of other accounts are 404.',
  access: 'signed_in',
  action: 'access_key.delete',
  params: { id: idParam<AccessKeyId>('The key.') },
  // A key may always revoke itself.
  sensitive: {
    unless: ({ viewer: { credential }, params }) =>
      credential?.kind === 'access_key' && credential.id === String(params.id),
  },
  async handle({ viewer, params }, work) {
    const removed = await work.tx
      .deleteFrom('access_key')
      .where('id', '=', params.id)
      .where('account_id', '=', requireAccount(viewer))
      .returning(['description', 'scopes'])
      .executeTakeFirst()
    if (!removed) throw new ApiError('not_found')
    await work.change({ object: `access_keys/${params.id}`, op: 'delete', before: removed })
    return {}
  },
})
