import type { TSchema } from 'typebox'
import type { Tx } from '../database/db.ts'
import type { Context } from '../operation/context.ts'
import type { JobRun } from './job.ts'
import type { MailMessage } from './mailer.ts'

/** The recipient in a job payload; the mail is composed only when it is sent. */
interface MailRecipient {
  readonly account_id?: number
  readonly email?: string
}

/**
 * A type of mail: rooms list theirs in `mails.ts`. Writes of `compose` are committed before the mail is sent, so that
 * its links work; undefined: nothing to send.
 */
export interface MailTemplate {
  readonly name: string
  readonly params: TSchema
  compose(writing: MailContext, params: unknown): Promise<MailMessage | undefined>
  /** The mail server certainly has not accepted the mail: it may be composed again. */
  takeBack?(writing: MailContext, params: unknown): Promise<void>
}

export interface MailContext {
  readonly context: Context
  readonly tx: Tx
  readonly order: MailRecipient
  readonly run: JobRun
}
