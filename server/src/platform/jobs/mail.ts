import { createTransport } from 'nodemailer'
import type { TSchema } from 'typebox'
import type { Config } from '../operation/config.ts'
import type { Context } from '../operation/context.ts'
import type { Tx } from '../database/db.ts'
import type { JobRun } from './job.ts'
import type { PlatformSettings } from '../operation/settings.ts'

/** A mail that is ready to be sent: plain text, to one person. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Resolves when the mail server has taken it. The same id on every repetition lets receivers drop the second one. */
  send(letter: Letter, id: string): Promise<void>
}

/** What a mail is made of. It is asked for by name, and worded only when it is sent. */
interface MailOrder {
  readonly account_id?: number
  readonly email?: string
}

/**
 * A kind of mail: rooms list theirs in `mails.ts`. What it writes is committed before the mail leaves, so that a link in
 * it works; undefined: nothing is to be sent, or no longer.
 */
export interface MailTemplate {
  readonly name: string
  readonly params: TSchema
  compose(writing: Writing, params: unknown): Promise<Letter | undefined>
}

export interface Writing {
  readonly context: Context
  readonly tx: Tx
  readonly order: MailOrder
  readonly run: JobRun
}

const PATIENCE = 30_000
const LONGEST_SUBJECT = 200

export function createMailer(config: Config, settings: PlatformSettings): Mailer {
  const { WAYPOST_SMTP_URL, WAYPOST_MAIL_FROM, WAYPOST_PUBLIC_URL } = config
  if (WAYPOST_SMTP_URL === '')
    return {
      // So the job is tried again, and parked in the end: whoever sets the variable can send it from there.
      send: () => Promise.reject(new Error('No mail server is configured: WAYPOST_SMTP_URL is empty.')),
    }
  const transport = createTransport({
    url: WAYPOST_SMTP_URL,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }, id) {
      const { mail_from, mail_footer, platform_name } = settings.current
      const from = mail_from || WAYPOST_MAIL_FROM
      for (const address of [from, to]) requireOneAddress(address)
      await transport.sendMail({
        from: { name: oneLine(platform_name), address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        subject: oneLine(subject),
        text: mail_footer === '' ? text : `${text}\n-- \n${mail_footer}\n`,
        messageId: `<${id}@${WAYPOST_PUBLIC_URL.hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}

/** Whatever a name or an address holds, it stays within its header. */
function oneLine(words: string): string {
  return words.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST_SUBJECT)
}

function requireOneAddress(address: string): void {
  if (!isMailAddress(address)) throw new Error('This is not one mail address.')
}

/** One address without a display name; what is left out (quotes, comments) only serves to smuggle. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;:<>()[\]\\"]{1,64}@[^\s\p{Cc}@,;:<>()[\]\\"]{1,253}$/u.test(text)
}
