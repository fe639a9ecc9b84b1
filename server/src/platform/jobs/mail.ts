import { createTransport } from 'nodemailer'
import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Config } from '../operation/config.ts'
import type { Context } from '../operation/context.ts'
import type { Tx } from '../database/db.ts'
import { escapeHtml } from '../wire/html.ts'
import type { JobRun } from './job.ts'
import type { PlatformSettings } from '../operation/settings.ts'

/** A mail that is ready to be sent, to one person. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for those who read HTML: the inside of a `body`. */
  readonly html?: string
  /** What names this mail for ever; absent: the job that sends it. */
  readonly id?: string
  /** What names the thread that it belongs to. */
  readonly thread?: string
  /** Where one click ends mails like this one (RFC 8058). */
  readonly unsubscribe?: string
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
  /** The mail server has not taken the letter, for certain: it may be composed again. */
  takeBack?(writing: Writing, params: unknown): Promise<void>
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
      send: () => Promise.reject(new NeverSent('No mail server is configured: WAYPOST_SMTP_URL is empty.')),
    }
  const transport = createTransport({
    url: WAYPOST_SMTP_URL,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const named = (id: string) => `<${id}@${WAYPOST_PUBLIC_URL.hostname}>`
  return {
    async send({ to, subject, text, html, id: own, thread, unsubscribe }, id) {
      const { mail_from, mail_footer, platform_name } = settings.current
      const from = mail_from || WAYPOST_MAIL_FROM
      for (const address of [from, to]) requireOneAddress(address)
      await transport.sendMail({
        from: { name: oneLine(platform_name), address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        subject: oneLine(subject),
        text: mail_footer === '' ? text : `${text}\n-- \n${mail_footer}\n`,
        ...(html !== undefined && { html: htmlPage(html, mail_footer) }),
        messageId: named(own ?? id),
        ...(thread !== undefined && { inReplyTo: named(thread), references: [named(thread)] }),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
    },
  }
}

class NeverSent extends Error {}

/**
 * Whether a letter that could not be sent has certainly not reached anybody: the server was not reached, or it has
 * refused. When it took the whole letter and then said nothing, nobody knows.
 */
export function wasNeverSent(error: unknown): boolean {
  if (error instanceof NeverSent) return true
  return Check(Unreached, error) || (Check(Refused, error) && error.responseCode >= 400)
}

const Refused = Type.Object({ responseCode: Type.Integer() })
const Unreached = Type.Union([
  Type.Object({ code: Type.Literal('EDNS') }),
  Type.Object({ syscall: Type.Literal('connect') }),
  Type.Object({ timeoutType: Type.Enum(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']) }),
])

function htmlPage(inside: string, footer: string): string {
  const below = footer === '' ? '' : `<hr><p>${escapeHtml(footer).replaceAll('\n', '<br>')}</p>`
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${inside}${below}</body></html>\n`
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
