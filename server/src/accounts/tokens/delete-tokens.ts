import { writeRoute } from '../../platform/http/route.ts'
import { requireAccount } from '../auth-errors.ts'
import { TOKENS_DISCOURAGED } from '../sign-in/sign-in-by-token.ts'

export const deleteTokens = writeRoute({
  method: 'DELETE',
  path: '/tokens',
  operationId: 'deleteTokens',
  summary: 'End all of your tokens.',
  description:
    'Ends all tokens of the caller. Every signed-in account, for itself. It is also accepted if there are none.',
  access: 'signed_in',
  action: 'token.delete',
  deprecated: TOKENS_DISCOURAGED,
  async handle({ viewer }, work) {
    const account = requireAccount(viewer)
    const { numDeletedRows } = await work.tx.deleteFrom('token').where('account_id', '=', account).executeTakeFirst()
    const before = { tokens: Number(numDeletedRows) }
    await work.change({ object: 'tokens', made: `users/${account}`, op: 'delete', before, after: { tokens: 0 } })
    return {}
  },
})
