import { sql } from 'kysely'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { type ActivePerson, findActivePeople } from '../../../accounts/users/find-active-people.ts'
import { isId } from '../../../platform/database/ids.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Letter, MailTemplate, Writing } from '../../../platform/jobs/mail.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { escapeHtml } from '../../../platform/wire/html.ts'
import { text } from '../../../platform/words/catalogue.ts'
import { type NotificationSettings, settingsOf } from '../settings/settings.ts'
import { effectiveLevel } from '../watching/watched-object.ts'
import { type DescribedNotice, describeNotice, languageOf } from './describe-notice.ts'
import { findDue, findWaiting, handOver, takeBack, type WaitingMail } from './find-mails.ts'
import { type Unsubscription, writeToken } from './unsubscribe-token.ts'
import { wordEnd, wordFooter, wordNotice, type Words } from './word-notice.ts'

const OneMail = Type.Object({ mail_id: Type.Integer() })
const MOST_IN_DIGEST = 100

/**
 * Of one event. That it was handed over is written before the mail server gets it: if we die in between, it is not sent
 * at all, and never twice; the inbox has it anyway.
 */
const noticeMail: MailTemplate = {
  name: 'notice',
  params: OneMail,
  async compose({ context, tx, order, run }, params) {
    const reader = await findReader(context, order)
    if (!reader || !Check(OneMail, params)) return undefined
    const { person, settings, email } = reader
    const { viewer } = person
    const [mail] = await findWaiting(context.db, viewer, sql`notice_mail.id = ${params.mail_id}`)
    const notice = mail && (await describeWanted(context, person, settings, mail))
    if (!notice) return undefined
    // The transaction begins to write only here, and so nobody has waited for it.
    if (!(await handOver(tx, [mail.id], run.id, context.clock.now())).has(mail.id)) return undefined
    const language = languageOf(context, viewer)
    const links = linksOf(context, { account: viewer.account_id, object: notice.object })
    const body = wordNotice({ context, language, isShort: settings.short_mails }, notice)
    return {
      to: email,
      subject: `[${notice.xref}] ${notice.title || notice.heading}`,
      ...joined([body, wordFooter(language, mail.why, notice, links.page)]),
      id: `notice-${mail.epoch}-${mail.seen.id}-${viewer.account_id}`,
      thread: `${notice.object.kind}-${notice.object.id}`,
      unsubscribe: links.oneClick,
    }
  },
  takeBack: ({ tx, run }) => takeBack(tx, run.id),
}

/** Of all events whose time has come. */
const digestMail: MailTemplate = {
  name: 'notice_digest',
  params: Type.Object({}),
  async compose({ context, tx, order, run }) {
    const now = context.clock.now()
    const account = accountOf(order)
    const due = account === undefined ? [] : await findDue(context.db, account, now)
    const reader = await findReader(context, order)
    const notices = reader ? await describeAll(context, reader, due) : []
    // What he may not read, or does not want, is over too: it does not come with a later one.
    const taken = await handOver(tx, due, run.id, now)
    const told = notices.filter(({ mail }) => taken.has(mail.id))
    if (!reader || told.length === 0) return undefined
    const { person, settings, email } = reader
    const { viewer } = person
    const language = languageOf(context, viewer)
    const links = linksOf(context, { account: viewer.account_id, object: 'mails' })
    const shown = told
      .slice(0, MOST_IN_DIGEST)
      .map(({ notice }) => wordNotice({ context, language, isShort: settings.short_mails }, notice))
    const left = told.length - shown.length
    const more = left > 0 ? [plain(text(language, 'notice.more', { count: String(left) }))] : []
    const places = { count: String(told.length), platform: context.settings.current.platform_name }
    return {
      to: email,
      subject: text(language, `notice.digest.subject${told.length === 1 ? '_one' : ''}`, places),
      ...joined([...shown, ...more, wordEnd(text(language, 'notice.end_mails'), links.page)], '\n'),
      unsubscribe: links.oneClick,
    }
  },
  takeBack: ({ tx, run }) => takeBack(tx, run.id),
}

export const NOTICE_MAILS: readonly MailTemplate[] = [noticeMail, digestMail]

interface MailReader {
  readonly person: ActivePerson
  readonly settings: NotificationSettings
  readonly email: string
}

/** Undefined: this person gets no mail, or no more. */
async function findReader(context: Context, order: Writing['order']): Promise<MailReader | undefined> {
  const id = accountOf(order)
  if (id === undefined) return undefined
  const person = (await findActivePeople(context.db, [id])).get(id)
  if (!person?.email) return undefined
  const settings = await settingsOf(context.db, id)
  return settings.mail === 'off' ? undefined : { person, settings, email: person.email }
}

function accountOf({ account_id: id }: Writing['order']): AccountId | undefined {
  return id !== undefined && isId<AccountId>(id) ? id : undefined
}

/** Those of these mails that still have something to tell him. */
async function describeAll(context: Context, { person, settings }: MailReader, ids: readonly number[]) {
  const waiting = await findWaiting(context.db, person.viewer, sql`notice_mail.id = any(${ids}::bigint[])`)
  const notices: { readonly mail: WaitingMail; readonly notice: DescribedNotice }[] = []
  for (const mail of waiting) {
    const notice = await describeWanted(context, person, settings, mail)
    if (notice) notices.push({ mail, notice })
  }
  return notices
}

/** Undefined: he may not read it any more, or does not want to be told of it any more. */
async function describeWanted(
  context: Context,
  person: ActivePerson,
  settings: NotificationSettings,
  { why, epoch, seen }: WaitingMail,
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

/** The page for people, and the address for their mail programs. */
function linksOf({ config, secrets }: Context, ended: Unsubscription): { page: string; oneClick: string } {
  const token = writeToken(secrets, ended)
  return {
    page: new URL(`unsubscribe/${token}`, config.WAYPOST_PUBLIC_URL).href,
    oneClick: new URL(`api/unsubscribe/${token}`, config.WAYPOST_PUBLIC_URL).href,
  }
}

function plain(words: string): Words {
  return { text: `${words}\n`, html: `<p>${escapeHtml(words)}</p>` }
}

function joined(parts: readonly Words[], between = ''): Pick<Letter, 'text'> & { html: string } {
  return { text: parts.map((part) => part.text).join(between), html: parts.map((part) => part.html).join('') }
}
