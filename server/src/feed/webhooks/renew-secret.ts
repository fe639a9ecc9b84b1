import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { findWebhookToChange } from './find-webhook.ts'
import { lockSecret, newSecret } from './sign.ts'
import { webhookVersion, type WebhookId } from './webhook.ts'
import { Secret } from './webhook-schemas.ts'
import { assertMayUseViewer } from './webhook-viewer.ts'

const OLD_SECRET_VALIDITY_MS = 86_400_000

export const renewWebhookSecret = writeRoute({
  method: 'PUT',
  path: '/webhooks/:id/secret',
  operationId: 'renewWebhookSecret',
  summary: 'Renew the secret of a webhook. Only this response contains it. For a day the old one signs too.',
  description:
    'Gives the webhook a new secret, random or chosen. Administrators of its tracker or project. Secrets under 16 or over 256 bytes are refused.',
  access: 'signed_in',
  action: 'webhook.secret',
  params: { id: idParam<WebhookId>('The webhook.') },
  body: Type.Object({ secret: Type.Optional(Secret) }, { title: 'NewWebhookSecret' }),
  bodyRules: { isOptional: true },
  answer: Type.Object({ secret: Type.String() }, { title: 'WebhookSecret' }),
  secret: true,
  dryRun: { omits: ['secret'] },
  async handle({ context, viewer, params, body, headers }, work) {
    const { webhook } = await findWebhookToChange(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], webhookVersion(webhook))
    assertMayUseViewer(webhook.as_user, viewer)
    const owner_id = requireAccount(viewer)
    const secret = newSecret(body?.secret)
    const { id, project_id } = webhook
    await work.tx
      .updateTable('webhook')
      .set((row) => ({
        secret: lockSecret(context.secrets, secret),
        old_secret: row.ref('secret'),
        old_secret_until: new Date(context.clock.now().getTime() + OLD_SECRET_VALIDITY_MS),
        owner_id,
        version: row('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    await work.change({ object: `webhooks/${id}`, op: 'update', project_id, after: { secret: 'renewed' } })
    return { body: { secret } }
  },
})
