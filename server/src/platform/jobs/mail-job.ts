import { failpoint } from '#failpoint'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { inTransaction } from '../database/db.ts'
import { defineJob } from './job.ts'
import { isCertainlyUnsent } from './mailer.ts'
import type { MailTemplate } from './mail-template.ts'

const MailJobPayload = Type.Object({
  template: Type.String(),
  account_id: Type.Optional(Type.Integer()),
  email: Type.Optional(Type.String()),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** Sends one mail. The payload has template and recipient; secrets are created here and exist only in the mail. */
export function mailJob(templates: readonly MailTemplate[]) {
  const byName = new Map(templates.map((template) => [template.name, template]))
  return defineJob({
    type: 'mail',
    payload: MailJobPayload,
    async run(context, { template: name, params = {}, ...order }, run) {
      const template = byName.get(name)
      if (!template) throw new Error(`This worker knows no mail ${name}.`)
      if (!Check(template.params, params)) throw new Error(`The mail ${name} needs other parameters.`)
      const message = await inTransaction(context.db, (tx) => template.compose({ context, tx, order, run }, params))
      if (!message) return
      failpoint('mail.composed')
      try {
        await context.mailer.send(message, `job-${run.id}.${run.created_on.getTime()}`)
      } catch (error) {
        if (template.takeBack && isCertainlyUnsent(error))
          await inTransaction(context.db, async (tx) => template.takeBack?.({ context, tx, order, run }, params))
        throw error
      }
      failpoint('mail.sent')
    },
  })
}
