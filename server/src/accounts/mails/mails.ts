import { sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import { type Catalogue, selectCatalogue, getMessage } from '../../platform/messages/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { JobRun } from '../../platform/jobs/job.ts'
import type { MailMessage } from '../../platform/jobs/mailer.ts'
import type { MailTemplate, MailContext } from '../../platform/jobs/mail-template.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { AccountStatus } from '../account.ts'
import { isFreeEmail } from '../addresses/email-rules.ts'
import { isOfAnyDirectory } from '../directories/directory-password.ts'
import { isStillAllowed } from '../invitations/invitation.ts'
import { fold } from '../login.ts'
import { countAddressMail } from './address-limit.ts'
import { countMails, PASSWORD_RESETS } from './mail-limit.ts'
import { LINK_TTL_MS, makeLink, renewLink, reserveLink } from './mailed-link.ts'

interface Recipient {
  id: AccountId
  login: string
  real_name: string
  email: string | null
  pending_email: string | null
  status: AccountStatus
  language: string | null
  links_ended_on: Date | null
}

const Nothing = Type.Object({})

/** Notifies the owner of a new key, in case another person created it. */
const accessKeyCreated = template(
  'access_key_created',
  Type.Object({ description: Type.String(), scopes: Type.Array(Type.String()) }),
  async ({ context, tx, order }, { description, scopes }) => {
    const owner = await findActiveRecipient(tx, order.account_id)
    return owner && buildMail(context, owner, 'access_key_created', { description, scopes: scopes.join(', ') })
  },
)

/** `login` is the typed text, a login or an address; only this mail job knows whether it names an account. */
const passwordReset = template(
  'password_reset',
  Type.Object({ login: Type.Optional(Type.String()) }),
  async ({ context, tx, order, run }, { login }) => {
    const owner = login === undefined ? await findActiveRecipient(tx, order.account_id) : await findByName(tx, login)
    if (!owner || isOutdated(owner, run) || (await isOfAnyDirectory(tx, owner.id))) return undefined
    if (login !== undefined) {
      const wait = await countMails(tx, owner.id, PASSWORD_RESETS, context.clock.now(), { job_id: run.id })
      if (wait !== undefined) return undefined
    }
    const link = await makeLink(tx, context, 'password_reset', LINK_TTL_MS.password_reset, { account_id: owner.id })
    return buildMail(context, owner, 'password_reset', { link })
  },
)

/** To the owner of an account that an administrator created. */
const inviteAccount = template('invite_account', Nothing, async ({ context, tx, order, run }) => {
  const owner = await findActiveRecipient(tx, order.account_id)
  if (!owner || isOutdated(owner, run)) return undefined
  const link = await makeLink(tx, context, 'password_reset', LINK_TTL_MS.first_password, { account_id: owner.id })
  return buildMail(context, owner, 'invite_account', { link })
})

/** Keys survive a password change, so the mail lists them. */
const passwordChanged = template('password_changed', Nothing, async ({ context, tx, order }) => {
  const owner = await findActiveRecipient(tx, order.account_id)
  if (!owner) return undefined
  const keys = await tx
    .selectFrom('access_key')
    .select(['id', 'description'])
    .where('account_id', '=', owner.id)
    .where('is_over', '=', false)
    .orderBy('id')
    .execute()
  const lines = keys.map(({ id, description }) => `- ${id} ${description}`.trimEnd())
  const language = languageOf(context, owner)
  return buildMail(context, owner, 'password_changed', {
    keys: lines.join('\n') || getMessage(language, 'mail.no_keys'),
  })
})

/** To the new address. If another account owns it, that owner is notified; the requester learns nothing. */
const emailVerification = template('email_verification', Nothing, async (mailContext) => {
  const { context, tx, order, run } = mailContext
  const owner = await findAccount(tx, order.account_id)
  if (!owner?.pending_email || !['A', 'R', 'P'].includes(owner.status)) return undefined
  if (isOutdated(owner, run)) return undefined
  const to = owner.pending_email
  if (!(await countAddressMail(mailContext, to))) return undefined
  if (!(await isFreeEmail(tx, to, owner.id))) {
    const holder = await findAddressOwner(tx, to)
    return holder && buildMail(context, holder, 'email_taken_notice', {})
  }
  const link = await makeLink(tx, context, 'email_verification', LINK_TTL_MS.email_verification, {
    account_id: owner.id,
    email: to,
  })
  return buildMail(context, { ...owner, email: to }, 'email_verification', { link })
})

/** To the old address, or to the address in the order, because the change may already be in force. */
const emailChangeNotice = template(
  'email_change_notice',
  Type.Object({ new_email: Type.Optional(Type.String()) }),
  async ({ context, tx, order }, { new_email }) => {
    const owner = await findActiveRecipient(tx, order.account_id)
    const next = new_email ?? owner?.pending_email
    if (!owner || !next) return undefined
    return buildMail(context, { ...owner, email: order.email ?? owner.email }, 'email_change_notice', {
      new_email: next,
    })
  },
)

const invitation = template(
  'invitation',
  Type.Object({
    invited_by: Type.Integer(),
    /** Absent in orders of earlier versions. */
    invitation_id: Type.Optional(Type.Integer()),
    project_id: Type.Optional(Type.Integer()),
    project: Type.Optional(Type.String()),
    custom_message: Type.Optional(Type.String()),
  }),
  async (mailContext, { invited_by, invitation_id, project_id, project, custom_message }) => {
    const { context, tx, order } = mailContext
    const { email } = order
    const inviter = await findActiveRecipient(tx, invited_by)
    if (!inviter || email === undefined || !(await isFreeEmail(tx, email))) return undefined
    if (!(await countAddressMail(mailContext, email))) return undefined
    const id =
      invitation_id ??
      (await reserveLink(tx, context, 'invitation', LINK_TTL_MS.invitation, {
        email,
        project_id: project_id ?? null,
        invited_by: inviter.id,
      }))
    const link = await renewLink(tx, context, 'invitation', LINK_TTL_MS.invitation, id, isStillAllowed(context))
    if (link === undefined) return undefined
    const message = custom_message ? `\n${withoutLinks(custom_message)}\n` : ''
    const name = project === undefined ? 'invitation' : 'invitation_to_project'
    const places = { inviter: withoutLinks(inviter.real_name), project: withoutLinks(project ?? '') }
    return buildMail(context, { email }, name, { ...places, message, link })
  },
)

/** To a newly registered account, or to an address for which none could be created. */
const registration = template(
  'registration',
  Type.Object({ outcome: Type.Enum(['made', 'login_taken', 'address_taken']), username: Type.String() }),
  async (mailContext, { outcome, username }) => {
    const { context, tx, order, run } = mailContext
    if (outcome !== 'made' && !(await countAddressMail(mailContext, order.email ?? ''))) return undefined
    if (outcome === 'login_taken')
      return buildMail(context, { email: order.email ?? null }, 'registration_login_taken', { username })
    if (outcome === 'address_taken') {
      const holder = await findAddressOwner(tx, order.email ?? '')
      return holder && buildMail(context, holder, 'registration_address_taken', {})
    }
    const owner = await findAccount(tx, order.account_id)
    if (owner?.status !== 'P' || !owner.pending_email || isOutdated(owner, run)) return undefined
    const to = owner.pending_email
    if (!(await countAddressMail(mailContext, to))) return undefined
    const link = await makeLink(tx, context, 'email_verification', LINK_TTL_MS.email_verification, {
      account_id: owner.id,
      email: to,
    })
    const name = context.settings.current.registration === 'open' ? 'registration_open' : 'registration_approval'
    return buildMail(context, { ...owner, email: to }, name, { link })
  },
)

/** To the owner of a finished personal data export. */
const exportReady = template('export_ready', Nothing, async ({ context, tx, order }) => {
  const owner = await findActiveRecipient(tx, order.account_id)
  return owner && buildMail(context, owner, 'export_ready', {})
})

export const ACCOUNT_MAILS: readonly MailTemplate[] = [
  accessKeyCreated,
  passwordReset,
  inviteAccount,
  passwordChanged,
  emailVerification,
  emailChangeNotice,
  invitation,
  registration,
  exportReady,
]

function template<P extends TSchema>(
  name: string,
  params: P,
  compose: (mailContext: MailContext, params: Static<P>) => Promise<MailMessage | undefined>,
): MailTemplate {
  const made: {
    name: string
    params: P
    compose(mailContext: MailContext, params: Static<P>): Promise<MailMessage | undefined>
  } = {
    name,
    params,
    compose,
  }
  return made
}

/** In the recipient's language; without an account, in the platform's. */
export function buildMail(
  context: Context,
  recipient: Pick<Recipient, 'email'> & Partial<Recipient>,
  name: string,
  places: Record<string, string>,
): MailMessage | undefined {
  if (recipient.email === null) return undefined
  const language = languageOf(context, recipient)
  const { settings, config } = context
  const all = {
    ...places,
    platform: settings.current.platform_name,
    address: config.WAYPOST_PUBLIC_URL.href,
    name: recipient.real_name ?? '',
    login: recipient.login ?? '',
  }
  return {
    to: recipient.email,
    subject: getMessage(language, `mail.${name}.subject`, all),
    text: getMessage(language, `mail.${name}.text`, all),
  }
}

function languageOf({ settings }: Context, { language }: Partial<Recipient>): Catalogue {
  return selectCatalogue([language, settings.current.language])
}

/** Whether the mail was queued before the password or address changed; its link would outlive that change. */
function isOutdated({ links_ended_on }: Recipient, { created_on }: JobRun): boolean {
  return links_ended_on !== null && created_on < links_ended_on
}

/** Accounts that may not sign in get no mail. */
export async function findActiveRecipient(tx: Tx, id: number | undefined): Promise<Recipient | undefined> {
  const found = await findAccount(tx, id)
  return found?.status === 'A' || found?.status === 'R' ? found : undefined
}

/** Locks the row until the mail is written, so that the later of two mails has the newest link. */
async function findAccount(tx: Tx, id: number | undefined): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`select ${recipientColumns} from account
    where account.id = ${id ?? null} for no key update`.execute(tx)
  return rows[0]
}

/** The owner of exactly this address: one that is equal only when folded may be another mailbox. */
async function findAddressOwner(tx: Tx, email: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`select ${recipientColumns} from account
    where folded(account.email) = folded(${email}) and account.status in ('A', 'R') order by account.id limit 1`.execute(
    tx,
  )
  return rows[0]
}

/** By login, else by an address that belongs to one account only. */
async function findByName(tx: Tx, name: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`select ${recipientColumns} from account
    where account.login = ${fold(name)} or folded(account.email) = folded(${name})
    order by account.login = ${fold(name)} desc for no key update`.execute(tx)
  const [first, ...others] = rows
  if (!first || (first.login !== fold(name) && others.length > 0)) return undefined
  return findActiveRecipient(tx, first.id)
}

const recipientColumns = sql`account.id, account.login, account.real_name, account.email, account.pending_email,
  account.status, account.language, account.links_ended_on`

/**
 * User text for a mail to a stranger. Inserts a space after each dot and colon that a letter, digit or slash follows,
 * so that mail programs do not turn it into links.
 */
function withoutLinks(words: string): string {
  return words
    .replaceAll(/(?<=[\p{L}\p{N}])([.。．｡])(?=[\p{L}\p{N}])/gu, '$1 ')
    .replaceAll(/(?<=\p{L}):(?=\S)/gu, ': ')
}
