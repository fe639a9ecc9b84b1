import { createTransport } from 'nodemailer'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Config } from '../operation/config.ts'
import { escapeHtml } from '../wire/html.ts'
import type { PlatformSettings } from '../operation/settings.ts'

/** A complete mail to one recipient. */
export interface MailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as HTML: the content of a `body`. */
  readonly html?: string
  /** Permanent part of the message id; absent: the job that sends it. */
  readonly id?: string
  /** Identifies the thread of the mail. */
  readonly thread?: string
  /** The one-click unsubscribe address (RFC 8058). */
  readonly unsubscribe?: string
}

export interface Mailer {
  /**
   * Resolves when the mail server has accepted it. The id is the same on every retry, so that receivers can drop
   * duplicates.
   */
  send(letter: MailMessage, id: string): Promise<void>
}

const SMTP_TIMEOUT_MS = 30_000
const MAX_HEADER_TEXT_LENGTH = 200

export function createMailer(config: Config, settings: PlatformSettings): Mailer {
  const { WAYPOST_SMTP_URL, WAYPOST_MAIL_FROM, WAYPOST_PUBLIC_URL } = config
  if (WAYPOST_SMTP_URL === '')
    return {
      // The job is retried and finally parked; it can be retried once the variable is set.
      send: () => Promise.reject(new NotSentError('No mail server is configured: WAYPOST_SMTP_URL is empty.')),
    }
  const transport = openMailTransport(WAYPOST_SMTP_URL)
  const toMessageId = (id: string) => `<${id}@${WAYPOST_PUBLIC_URL.hostname}>`
  return {
    async send({ to, subject, text, html, id: own, thread, unsubscribe }, id) {
      const { mail_from, mail_footer, platform_name } = settings.current
      const from = mail_from || WAYPOST_MAIL_FROM
      for (const address of [from, to]) requireMailAddress(address)
      await transport.sendMail({
        from: { name: oneLine(platform_name), address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        subject: oneLine(subject),
        text: mail_footer === '' ? text : `${text}\n-- \n${mail_footer}\n`,
        ...(html !== undefined && { html: htmlPage(html, mail_footer) }),
        messageId: toMessageId(own ?? id),
        ...(thread !== undefined && { inReplyTo: toMessageId(thread), references: [toMessageId(thread)] }),
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

/** Connects when it is used. */
export function openMailTransport(url: string, timeoutMs = SMTP_TIMEOUT_MS) {
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

class NotSentError extends Error {}

/**
 * Whether the mail certainly was not delivered: the server was not reached, or refused it. If the connection breaks
 * after the complete mail, the outcome is unknown.
 */
export function isCertainlyUnsent(error: unknown): boolean {
  if (error instanceof NotSentError) return true
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

/** Prevents header injection by names and addresses. */
function oneLine(words: string): string {
  return words.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_HEADER_TEXT_LENGTH)
}

function requireMailAddress(address: string): void {
  if (!isMailAddress(address)) throw new Error('This is not one mail address.')
}

/** One address without a display name; quotes and comments are excluded, because they only enable injection. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;:<>()[\]\\"]{1,64}@[^\s\p{Cc}@,;:<>()[\]\\"]{1,253}$/u.test(text)
}
