import { failpoint } from '#failpoint'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { inTransaction } from '../database/db.ts'
import { defineJob } from './job.ts'
import { type MailTemplate, wasNeverSent } from './mail.ts'

const Order = Type.Object({
  template: Type.String(),
  account_id: Type.Optional(Type.Integer()),
  email: Type.Optional(Type.String()),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** Sends one mail. Its payload says which and to whom; secrets are made here, and stand in the mail alone. */
export function mailJob(templates: readonly MailTemplate[]) {
  const byName = new Map(templates.map((template) => [template.name, template]))
  return defineJob({
    type: 'mail',
    payload: Order,
    async run(context, { template: name, params = {}, ...order }, run) {
      const template = byName.get(name)
      if (!template) throw new Error(`This worker knows no mail ${name}.`)
      if (!Check(template.params, params)) throw new Error(`The mail ${name} needs other parameters.`)
      const letter = await inTransaction(context.db, (tx) => template.compose({ context, tx, order, run }, params))
      if (!letter) return
      failpoint('mail.composed')
      try {
        await context.mailer.send(letter, `job-${run.id}.${run.created_on.getTime()}`)
      } catch (error) {
        if (template.takeBack && wasNeverSent(error))
          await inTransaction(context.db, async (tx) => template.takeBack?.({ context, tx, order, run }, params))
        throw error
      }
      failpoint('mail.sent')
    },
  })
}
