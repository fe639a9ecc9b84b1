import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { type Param, writeRoute } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { requireAccount } from '../auth-errors.ts'
import { TOKENS_DISCOURAGED } from '../sign-in/sign-in-by-token.ts'

/** A malformed token is treated as unknown. */
const tokenParam: Param<Buffer> = {
  schema: Type.String({ description: 'The token.' }),
  parse: (text) => sha256(Buffer.from(/^[0-9a-f]{32}$/i.test(text) ? text : '', 'hex')),
}

export const deleteToken = writeRoute({
  method: 'DELETE',
  path: '/tokens/:token',
  operationId: 'deleteToken',
  summary: 'End one of your tokens.',
  description:
    'Ends one token. The account that owns it. Unknown tokens and those of other accounts get the same refusal.',
  access: 'signed_in',
  action: 'token.delete',
  deprecated: TOKENS_DISCOURAGED,
  params: { token: tokenParam },
  async handle({ viewer, params }, work) {
    const account = requireAccount(viewer)
    const removed = await work.tx
      .deleteFrom('token')
      .where('digest', '=', params.token)
      .where('account_id', '=', account)
      .returning('account_id')
      .executeTakeFirst()
    if (!removed) throw new ApiError('token_unknown')
    await work.change({ object: 'tokens', made: `users/${account}`, op: 'delete' })
    return {}
  },
})
