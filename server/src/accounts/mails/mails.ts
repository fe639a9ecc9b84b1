import { sql } from 'kysely'
import { type Static, type TSchema, Type } from 'typebox'
import { type Catalogue, catalogueFor, text } from '../../platform/words/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Letter, MailTemplate, Writing } from '../../platform/jobs/mail.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { AccountStatus } from '../account.ts'
import { isFreeEmail } from '../addresses/email-rules.ts'
import { fold } from '../login.ts'
import { countMails, PASSWORD_RESETS } from './mail-limit.ts'
import { LIFE, makeLink } from './mailed-link.ts'

interface Recipient {
  id: AccountId
  login: string
  real_name: string
  email: string | null
  pending_email: string | null
  status: AccountStatus
  language: string | null
}

const Nothing = Type.Object({})

/** A key was made: its owner learns of it, in case somebody else made it. */
const accessKeyCreated = template(
  'access_key_created',
  Type.Object({ description: Type.String(), scopes: Type.Array(Type.String()) }),
  async ({ context, tx, order }, { description, scopes }) => {
    const owner = await findActive(tx, order.account_id)
    return owner && letter(context, owner, 'access_key_created', { description, scopes: scopes.join(', ') })
  },
)

/** `login` is what somebody typed, a login or an address; whether it names anybody, only this mail knows. */
const passwordReset = template(
  'password_reset',
  Type.Object({ login: Type.Optional(Type.String()) }),
  async ({ context, tx, order, run }, { login }) => {
    const owner = login === undefined ? await findActive(tx, order.account_id) : await findByName(tx, login)
    if (!owner) return undefined
    if (login !== undefined) {
      const wait = await countMails(tx, owner.id, PASSWORD_RESETS, context.clock.now(), { job_id: run.id })
      if (wait !== undefined) return undefined
    }
    const link = await makeLink(tx, context, 'password_reset', LIFE.password_reset, { account_id: owner.id })
    return letter(context, owner, 'password_reset', { link })
  },
)

/** To somebody for whom an administrator made an account. */
const inviteAccount = template('invite_account', Nothing, async ({ context, tx, order }) => {
  const owner = await findActive(tx, order.account_id)
  if (!owner) return undefined
  const link = await makeLink(tx, context, 'password_reset', LIFE.first_password, { account_id: owner.id })
  return letter(context, owner, 'invite_account', { link })
})

/** Keys stay when a password changes, so the mail names them. */
const passwordChanged = template('password_changed', Nothing, async ({ context, tx, order }) => {
  const owner = await findActive(tx, order.account_id)
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
  return letter(context, owner, 'password_changed', { keys: lines.join('\n') || text(language, 'mail.no_keys') })
})

/** To the new address. If it belongs to somebody else, they are told, and the one who asked learns nothing. */
const emailVerification = template('email_verification', Nothing, async ({ context, tx, order }) => {
  const owner = await findAccount(tx, order.account_id)
  if (!owner?.pending_email || !['A', 'R', 'P'].includes(owner.status)) return undefined
  const to = owner.pending_email
  if (!(await isFreeEmail(tx, to, owner.id))) {
    const holder = await findHolder(tx, to)
    return holder && letter(context, holder, 'email_taken_notice', {})
  }
  const link = await makeLink(tx, context, 'email_verification', LIFE.email_verification, {
    account_id: owner.id,
    email: to,
  })
  return letter(context, { ...owner, email: to }, 'email_verification', { link })
})

/** To the old address, or to the one that the order names: it may be out of force already. */
const emailChangeNotice = template(
  'email_change_notice',
  Type.Object({ new_email: Type.Optional(Type.String()) }),
  async ({ context, tx, order }, { new_email }) => {
    const owner = await findActive(tx, order.account_id)
    const next = new_email ?? owner?.pending_email
    if (!owner || !next) return undefined
    return letter(context, { ...owner, email: order.email ?? owner.email }, 'email_change_notice', { new_email: next })
  },
)

const invitation = template(
  'invitation',
  Type.Object({
    invited_by: Type.Integer(),
    project_id: Type.Optional(Type.Integer()),
    project: Type.Optional(Type.String()),
    custom_message: Type.Optional(Type.String()),
  }),
  async ({ context, tx, order: { email } }, { invited_by, project_id, project, custom_message }) => {
    const inviter = await findActive(tx, invited_by)
    if (!inviter || email === undefined || !(await isFreeEmail(tx, email))) return undefined
    const link = await makeLink(tx, context, 'invitation', LIFE.invitation, {
      email,
      project_id: project_id ?? null,
      invited_by: inviter.id,
    })
    const message = custom_message ? `\n${custom_message}\n` : ''
    const name = project === undefined ? 'invitation' : 'invitation_to_project'
    return letter(context, { email }, name, { inviter: inviter.real_name, project: project ?? '', message, link })
  },
)

/** To an account that was just registered, or to an address for which none could be. */
const registration = template(
  'registration',
  Type.Object({ outcome: Type.Enum(['made', 'login_taken', 'address_taken']), username: Type.String() }),
  async ({ context, tx, order }, { outcome, username }) => {
    if (outcome === 'login_taken')
      return letter(context, { email: order.email ?? null }, 'registration_login_taken', { username })
    if (outcome === 'address_taken') {
      const holder = await findHolder(tx, order.email ?? '')
      return holder && letter(context, holder, 'registration_address_taken', {})
    }
    const owner = await findAccount(tx, order.account_id)
    if (owner?.status !== 'P' || !owner.pending_email) return undefined
    const to = owner.pending_email
    const link = await makeLink(tx, context, 'email_verification', LIFE.email_verification, {
      account_id: owner.id,
      email: to,
    })
    const name = context.settings.current.registration === 'open' ? 'registration_open' : 'registration_approval'
    return letter(context, { ...owner, email: to }, name, { link })
  },
)

/** To somebody who asked for what is kept about him. */
const exportReady = template('export_ready', Nothing, async ({ context, tx, order }) => {
  const owner = await findActive(tx, order.account_id)
  return owner && letter(context, owner, 'export_ready', {})
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
  compose: (writing: Writing, params: Static<P>) => Promise<Letter | undefined>,
): MailTemplate {
  const made: { name: string; params: P; compose(writing: Writing, params: Static<P>): Promise<Letter | undefined> } = {
    name,
    params,
    compose,
  }
  return made
}

/** In the recipient's language; an address without an account is written to in the platform's. */
export function letter(
  context: Context,
  recipient: Pick<Recipient, 'email'> & Partial<Recipient>,
  name: string,
  places: Record<string, string>,
): Letter | undefined {
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
    subject: text(language, `mail.${name}.subject`, all),
    text: text(language, `mail.${name}.text`, all),
  }
}

function languageOf({ settings }: Context, { language }: Partial<Recipient>): Catalogue {
  return catalogueFor([language, settings.current.language])
}

/** Who may no longer sign in gets no mail either. */
export async function findActive(tx: Tx, id: number | undefined): Promise<Recipient | undefined> {
  const found = await findAccount(tx, id)
  return found?.status === 'A' || found?.status === 'R' ? found : undefined
}

/** Held until the mail is worded: of two mails at once, the second one's link is the newest. */
async function findAccount(tx: Tx, id: number | undefined): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`select ${recipientColumns} from account
    where account.id = ${id ?? null} for no key update`.execute(tx)
  return rows[0]
}

/** Who has this address, as they wrote it: what is merely equal when folded may lead to another mailbox. */
async function findHolder(tx: Tx, email: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`select ${recipientColumns} from account
    where folded(account.email) = folded(${email}) and account.status in ('A', 'R') order by account.id limit 1`.execute(
    tx,
  )
  return rows[0]
}

/** By login, else by an address that is one account's alone. */
async function findByName(tx: Tx, name: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`select ${recipientColumns} from account
    where account.login = ${fold(name)} or folded(account.email) = folded(${name})
    order by account.login = ${fold(name)} desc for no key update`.execute(tx)
  const [first, ...others] = rows
  if (!first || (first.login !== fold(name) && others.length > 0)) return undefined
  return findActive(tx, first.id)
}

const recipientColumns = sql`account.id, account.login, account.real_name, account.email, account.pending_email,
  account.status, account.language`
