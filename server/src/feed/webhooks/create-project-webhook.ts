import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ProjectId } from '../../projects/project.ts'
import { createWebhook } from './create-webhook.ts'
import { findHome, findHomeToChange } from './find-webhook.ts'
import { SENT_EVENTS } from './sent-events.ts'
import { checkTarget } from '../../platform/http/ssrf-guard.ts'
import { NewWebhook, WebhookWithSecret } from './webhook-schemas.ts'

export const createProjectWebhook = writeRoute({
  method: 'POST',
  path: '/projects/:id/webhooks',
  operationId: 'createProjectWebhook',
  summary: 'Create a webhook for the events of a project. Only this response contains the secret.',
  description:
    'Sends events of a project to an address, signed and retried, with the permissions of an account. Project administrators. Private addresses are refused unless the platform allows their network; a project has at most 20.',
  access: 'signed_in',
  action: 'webhook.create',
  params: { id: idParam<ProjectId>('The project.') },
  body: NewWebhook,
  answer: WebhookWithSecret,
  sends: SENT_EVENTS,
  status: 201,
  secret: true,
  versioned: true,
  dryRun: { omits: ['id', 'uri', 'resources', 'secret', 'created_on'] },
  // DNS lookups run outside the transaction, and only for a caller who may create a webhook here.
  async prepare({ context, viewer, params, body }) {
    await findHome(context, context.db, viewer, { project_id: params.id, tracker_id: null })
    return checkTarget(context, body.url)
  },
  async handle({ context, viewer, params, body }, work, refusal) {
    const home = await findHomeToChange(context, work.tx, viewer, { project_id: params.id, tracker_id: null })
    if (refusal) throw refusal
    return createWebhook(context, work, home, body)
  },
})
