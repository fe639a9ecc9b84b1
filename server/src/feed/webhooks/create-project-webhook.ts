import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ProjectId } from '../../projects/project.ts'
import { createWebhook } from './create-webhook.ts'
import { findHomeToChange } from './find-webhook.ts'
import { judgeTarget } from './targets.ts'
import { NewWebhook, WebhookWithSecret } from './webhook.ts'

export const createProjectWebhook = writeRoute({
  method: 'POST',
  path: '/projects/:id/webhooks',
  operationId: 'createProjectWebhook',
  summary: 'Let an address be told what happens in a project. The secret is shown once, here.',
  access: 'signed_in',
  action: 'webhook.create',
  params: { id: idParam<ProjectId>('The project.') },
  body: NewWebhook,
  answer: WebhookWithSecret,
  status: 201,
  secret: true,
  versioned: true,
  givenByWrite: ['id', 'uri', 'secret', 'created_on'],
  // Names are asked for outside of the transaction; who may not make a hook is not told what became of it.
  prepare: ({ context, body }) => judgeTarget(context, body.url),
  async handle({ context, viewer, params, body }, work, refusal) {
    const home = await findHomeToChange(context, work.tx, viewer, { project_id: params.id, tracker_id: null })
    if (refusal) throw refusal
    return createWebhook(context, work, home, body)
  },
})
