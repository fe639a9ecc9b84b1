import { Type } from 'typebox'
import { findActivePeople } from '../../../accounts/users/find-active-people.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { type Param, writeRoute } from '../../../platform/http/route.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { loadNotificationSettings } from '../settings/settings.ts'
import { parseUnsubscribeToken, type Unsubscription } from './unsubscribe-token.ts'

export const tokenParam: Param<string> = {
  schema: Type.String({ description: 'From the link of a mail.' }),
  parse: (text) => text,
}

/** One-click unsubscription (RFC 8058): no credentials, no confirmation. */
export const unsubscribe = writeRoute({
  method: 'POST',
  path: '/unsubscribe/:token',
  operationId: 'unsubscribe',
  summary: 'Unsubscribe by the link of a mail.',
  description:
    'Mutes the object of a mail for its receiver, in one click (RFC 8058). Everyone with the link. Changed and unknown links are 404.',
  access: 'no_credentials',
  staysOpen: true,
  action: null,
  params: { token: tokenParam },
  // The body of mail programs adds nothing to the address.
  body: Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String()) }),
  bodyRules: { isOptional: true },
  async handle({ context, params }, { tx }) {
    const ended = parseUnsubscribeToken(context.secrets, params.token)
    if (!(await findActivePeople(tx, [ended.account])).has(ended.account)) throw new ApiError('not_found')
    await mute(tx, ended)
    return { headers: { refresh: `0; url=/unsubscribe/${params.token}?done=1` } }
  },
})

async function mute(tx: Tx, { account: account_id, object }: Unsubscription): Promise<void> {
  if (object === 'mails') {
    const settings = { ...(await loadNotificationSettings(tx, account_id)), mail: 'off' } as const
    await tx
      .insertInto('notification_setting')
      .values({ account_id, ...settings })
      .onConflict((clash) => clash.column('account_id').doUpdateSet({ mail: 'off' }))
      .execute()
    return
  }
  const { kind, id: object_id } = object
  await tx
    .insertInto('watch')
    .values({ account_id, kind, object_id, level: 'none' })
    .onConflict((clash) => clash.columns(['account_id', 'kind', 'object_id']).doUpdateSet({ level: 'none' }))
    .execute()
}
