import { sql } from 'kysely'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { type ActivePerson, findActivePeople } from '../../../accounts/users/find-active-people.ts'
import { isId } from '../../../platform/database/ids.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { MailMessage } from '../../../platform/jobs/mailer.ts'
import type { MailTemplate, MailContext } from '../../../platform/jobs/mail-template.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { escapeHtml } from '../../../platform/wire/html.ts'
import { getMessage } from '../../../platform/messages/catalogue.ts'
import { type NotificationSettings, loadNotificationSettings } from '../settings/settings.ts'
import { effectiveLevel } from '../watching/watched-object.ts'
import { type DescribedNotice, describeNotice, languageOf } from './describe-notice.ts'
import { findDueMails, findPendingMails, markHandedOver, revertHandOver, type PendingMail } from './find-mails.ts'
import { type Unsubscription, formatUnsubscribeToken } from './unsubscribe-token.ts'
import { renderUnsubscribeLine, renderFooter, renderNotice, type MailPart } from './render-notice.ts'

const NoticeMailParams = Type.Object({ mail_id: Type.Integer() })
const MAX_DIGEST_NOTICES = 100

/**
 * Mail about one event, sent at most once: the hand-over is committed before the mail server gets the mail. After a
 * crash in between it is not sent; the inbox has it.
 */
const noticeMail: MailTemplate = {
  name: 'notice',
  params: NoticeMailParams,
  async compose({ context, tx, order, run }, params) {
    const recipient = await findMailRecipient(context, order)
    if (!recipient || !Check(NoticeMailParams, params)) return undefined
    const { person, settings, email } = recipient
    const { viewer } = person
    const [mail] = await findPendingMails(context.db, viewer, sql`notice_mail.id = ${params.mail_id}`)
    const notice = mail && (await describeIfWanted(context, person, settings, mail))
    if (!notice) return undefined
    // The transaction writes nothing before this point, so it blocks no other one.
    if (!(await markHandedOver(tx, [mail.id], run.id, context.clock.now())).has(mail.id)) return undefined
    const language = languageOf(context, viewer)
    const links = unsubscribeLinks(context, { account: viewer.account_id, object: notice.object })
    const body = renderNotice({ context, language, isShort: settings.short_mails }, notice)
    return {
      to: email,
      subject: `[${notice.xref}] ${notice.title || notice.heading}`,
      ...joinMailParts([body, renderFooter(language, mail.why, notice, links.page)]),
      id: `notice-${mail.epoch}-${mail.seen.id}-${viewer.account_id}`,
      thread: `${notice.object.kind}-${notice.object.id}`,
      unsubscribe: links.oneClick,
    }
  },
  takeBack: ({ tx, run }) => revertHandOver(tx, run.id),
}

/** Mail about all events that are due. */
const digestMail: MailTemplate = {
  name: 'notice_digest',
  params: Type.Object({}),
  async compose({ context, tx, order, run }) {
    const now = context.clock.now()
    const account = recipientAccount(order)
    const due = account === undefined ? [] : await findDueMails(context.db, account, now)
    const recipient = await findMailRecipient(context, order)
    const notices = recipient ? await describeNotices(context, recipient, due) : []
    // Mails that the recipient may not read or does not want are marked as well, so that no later digest has them.
    const taken = await markHandedOver(tx, due, run.id, now)
    const claimed = notices.filter(({ mail }) => taken.has(mail.id))
    if (!recipient || claimed.length === 0) return undefined
    const { person, settings, email } = recipient
    const { viewer } = person
    const language = languageOf(context, viewer)
    const links = unsubscribeLinks(context, { account: viewer.account_id, object: 'mails' })
    const shown = claimed
      .slice(0, MAX_DIGEST_NOTICES)
      .map(({ notice }) => renderNotice({ context, language, isShort: settings.short_mails }, notice))
    const left = claimed.length - shown.length
    const more = left > 0 ? [renderParagraph(getMessage(language, 'notice.more', { count: left }))] : []
    const placeholders = { count: claimed.length, platform: context.settings.current.platform_name }
    return {
      to: email,
      subject: getMessage(language, 'notice.digest.subject', placeholders),
      ...joinMailParts(
        [...shown, ...more, renderUnsubscribeLine(getMessage(language, 'notice.end_mails'), links.page)],
        '\n',
      ),
      unsubscribe: links.oneClick,
    }
  },
  takeBack: ({ tx, run }) => revertHandOver(tx, run.id),
}

export const NOTICE_MAILS: readonly MailTemplate[] = [noticeMail, digestMail]

interface MailRecipient {
  readonly person: ActivePerson
  readonly settings: NotificationSettings
  readonly email: string
}

/** Undefined: the account gets no mails. */
async function findMailRecipient(context: Context, order: MailContext['order']): Promise<MailRecipient | undefined> {
  const id = recipientAccount(order)
  if (id === undefined) return undefined
  const person = (await findActivePeople(context.db, [id])).get(id)
  if (!person?.email) return undefined
  const settings = await loadNotificationSettings(context.db, id)
  return settings.mail === 'off' ? undefined : { person, settings, email: person.email }
}

function recipientAccount({ account_id: id }: MailContext['order']): AccountId | undefined {
  return id !== undefined && isId<AccountId>(id) ? id : undefined
}

/** Those of these mails that still have visible content for the recipient. */
async function describeNotices(context: Context, { person, settings }: MailRecipient, ids: readonly number[]) {
  const waiting = await findPendingMails(context.db, person.viewer, sql`notice_mail.id = any(${ids}::bigint[])`)
  const notices: { readonly mail: PendingMail; readonly notice: DescribedNotice }[] = []
  for (const mail of waiting) {
    const notice = await describeIfWanted(context, person, settings, mail)
    if (notice) notices.push({ mail, notice })
  }
  return notices
}

/** Undefined: the recipient may not read the event any more, or has muted it. */
async function describeIfWanted(
  context: Context,
  person: ActivePerson,
  settings: NotificationSettings,
  { why, epoch, seen }: PendingMail,
): Promise<DescribedNotice | undefined> {
  const notice = await describeNotice(context, person, epoch, seen)
  if (!notice) return undefined
  const { level } = await effectiveLevel(context.db, person.viewer.account_id, [
    notice.object,
    ...(notice.object.kind === 'artifact' && seen.tracker_id !== null
      ? [{ kind: 'tracker', id: seen.tracker_id } as const]
      : []),
    { kind: 'project', id: seen.project_id },
  ])
  const isWanted = level !== 'none' || (why === 'mention' && !settings.mute_mentions)
  return isWanted ? notice : undefined
}

/** `page` is for people, `oneClick` for mail programs. */
function unsubscribeLinks({ config, secrets }: Context, ended: Unsubscription): { page: string; oneClick: string } {
  const token = formatUnsubscribeToken(secrets, ended)
  return {
    page: new URL(`unsubscribe/${token}`, config.WAYPOST_PUBLIC_URL).href,
    oneClick: new URL(`api/unsubscribe/${token}`, config.WAYPOST_PUBLIC_URL).href,
  }
}

function renderParagraph(words: string): MailPart {
  return { text: `${words}\n`, html: `<p>${escapeHtml(words)}</p>` }
}

function joinMailParts(parts: readonly MailPart[], between = ''): Pick<MailMessage, 'text'> & { html: string } {
  return { text: parts.map((part) => part.text).join(between), html: parts.map((part) => part.html).join('') }
}
