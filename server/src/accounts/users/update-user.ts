import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { requestEmailChange } from '../addresses/change-email.ts'
import { directoryPasswordError, isOfAnyDirectory } from '../directories/directory-password.ts'
import { requireKnownChoices } from './choices.ts'
import { requireUsableStatus } from './create-user.ts'
import { Email, requireFreeEmail } from '../addresses/email-rules.ts'
import { endLinks } from '../mails/mailed-link.ts'
import { forgetOrigins } from '../sign-in/known-origins.ts'
import { endSessionsAndTokens } from '../sign-in/end-sessions.ts'
import { userParam } from './find-user.ts'
import { requireAnotherAdmin } from './last-admin.ts'
import { fold } from '../login.ts'
import { tombstoneLogin, requireFreeLogin } from './login-rules.ts'
import { hiddenError, permissionError, requireAccount } from '../auth-errors.ts'
import { AccountStatusSchema, profileChoices, RealName } from './schemas.ts'
import { type FullUserRow, fullUserColumns, PERSONAL_MEMBERS } from './user.ts'
import { maySee } from './visibility.ts'

const UserChanges = Type.Object(
  {
    status: Type.Optional(AccountStatusSchema),
    username: Type.Optional(Type.String({ maxLength: 255, trim: true })),
    email: Type.Optional(Email),
    real_name: Type.Optional(RealName),
    ...profileChoices,
    is_site_admin: Type.Optional(Type.Boolean()),
    password_reset: Type.Optional(
      Type.Boolean({ description: 'End all sessions and tokens, and mail a link to set a new password.' }),
    ),
  },
  { title: 'UserChanges' },
)
type UserChanges = Static<typeof UserChanges>

/** The row of a user, locked for the transaction. */
export type LockedUser = FullUserRow

const ADMINISTRATORS_ONLY = ['status', 'username', 'is_site_admin', 'password_reset'] as const

/** Members of the own account that change neither credentials nor rights. */
const OWN_PROFILE: ReadonlySet<string> = new Set(['real_name', ...Object.keys(profileChoices)])

/** Callback of a module when an account gets a new login; `before` is the old one. */
export type Renamer = (work: WriteContext, account: AccountId, before: string) => Promise<void>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Called when a login changes, for modules that store logins. Modules add theirs in `ports.ts`. */
    readonly onRename: readonly Renamer[]
  }
}

export const updateUser = writeRoute({
  method: 'PATCH',
  path: '/users/:id',
  operationId: 'updateUser',
  summary: 'Change a user.',
  description:
    'Changes name, address, language, time zone or state; absent members stay. The account itself, and site administrators, who alone change the state. A new mail address counts only after it was confirmed by its link.',
  access: 'signed_in',
  action: 'user.update',
  params: { id: userParam },
  body: Type.Object({ values: UserChanges }),
  bodyRules: { wrapper: 'values' },
  answer: Type.Boolean(),
  versioned: true,
  sensitive: {
    unless: ({ viewer, params: { id }, body: { values } }) =>
      (id === 'self' || id === viewer.account_id) && Object.keys(values).every((name) => OWN_PROFILE.has(name)),
  },
  async handle({ context, viewer, params, body: { values }, headers }, work) {
    requireKnownChoices(values)
    const user = await lockUser(work.tx, context, viewer, params.id)
    const changes = changed(user, values)
    requireRights(viewer, user, changes)
    requireVersion(headers['if-match'], { kind: 'user', id: user.id, version: user.version })

    await requireRules(work.tx, context, user, changes)
    const columns = await toColumns(work, context, viewer, user, changes)
    if (Object.keys(columns).length > 0) await writeUser(work, user, columns)
    if ('login' in columns || 'real_name' in columns)
      for (const rename of context.onRename) await rename(work, user.id, user.login)
    if (endsSessions(changes)) await endAccess(work.tx, user, columns.email ?? null)
    else if (columns.email !== undefined) await endLinks(work.tx, user.id, [user.email, columns.email])
    if (changes.password_reset) await mailReset(work, user)
    return { body: true }
  },
})

/** Locks the user, if visible to the viewer. Erased accounts cannot be changed. */
export async function lockUser(tx: Tx, context: Context, viewer: Viewer, who: AccountId | 'self'): Promise<LockedUser> {
  const id = who === 'self' ? requireAccount(viewer) : who
  const { rows } = await sql<LockedUser>`
    select ${fullUserColumns} from account
    where account.id = ${id} and ${maySee(context, viewer)} for update of account`.execute(tx)
  const [row] = rows
  if (!row || row.is_erased) throw hiddenError(viewer)
  return row
}

/** The effective changes: members that repeat the current value are dropped. */
function changed(user: LockedUser, { password_reset, ...given }: UserChanges): UserChanges {
  const current = new Map<string, unknown>(Object.entries({ ...user, username: user.login }))
  const isNew = ([name, value]: [string, unknown]) =>
    name === 'username' ? fold(String(value)) !== user.login : current.get(name) !== value
  const members: UserChanges = Object.fromEntries(Object.entries(given).filter(isNew))
  return password_reset ? { ...members, password_reset } : members
}

function requireRights(viewer: Viewer, user: LockedUser, changes: UserChanges): void {
  if (viewer.is_site_admin) return
  if (viewer.account_id !== user.id) throw permissionError(viewer, 'site_admin', 'owner')
  if (ADMINISTRATORS_ONLY.some((name) => changes[name] !== undefined)) throw permissionError(viewer, 'site_admin')
}

async function requireRules(tx: Tx, context: Context, user: LockedUser, changes: UserChanges): Promise<void> {
  const { status = user.status, is_site_admin = user.is_site_admin } = changes
  if (changes.password_reset && (await isOfAnyDirectory(tx, user.id))) throw directoryPasswordError()
  if (changes.status && !['A', 'R', 'S', 'D'].includes(changes.status))
    throw new ApiError('parameter_not_allowed', { path: 'status', rule: 'one_of', allowed: ['A', 'R', 'S', 'D'] })
  requireUsableStatus(changes.status, context.settings.current)
  if (!is_site_admin || !maySignIn(status)) await requireAnotherAdmin(tx, user.id)
}

/** Suspends an account that may sign in: the way of all other changes of its state. */
export async function suspendUser(work: WriteContext, user: LockedUser): Promise<void> {
  if (user.is_site_admin) await requireAnotherAdmin(work.tx, user.id)
  await writeUser(work, user, { status: 'S' })
  await endAccess(work.tx, user)
}

/** Ends sessions, tokens, known origins and mailed links; access keys are refused by the status. */
async function endAccess(tx: Tx, { id, email }: LockedUser, newEmail: string | null = null): Promise<void> {
  await endSessionsAndTokens(tx, id)
  await forgetOrigins(tx, id)
  await endLinks(tx, id, [email, newEmail])
}

export function maySignIn(status: string): boolean {
  return status === 'A' || status === 'R'
}

function endsSessions({ status, password_reset }: UserChanges): boolean {
  return password_reset === true || (status !== undefined && !maySignIn(status))
}

/** The columns to write. An address set by its owner is pending until verified. */
async function toColumns(work: WriteContext, context: Context, viewer: Viewer, user: LockedUser, changes: UserChanges) {
  const { username, email, password_reset: _mailed, ...others } = changes
  const login = username === undefined ? undefined : await requireFreeLogin(work.tx, username, user.id)
  if (login !== undefined) await tombstoneLogin(work.tx, user.login, user.id)
  return {
    ...others,
    ...(login !== undefined && { login }),
    ...(await emailColumns(work, context, viewer, user, email)),
  }
}

async function emailColumns(
  work: WriteContext,
  context: Context,
  viewer: Viewer,
  user: LockedUser,
  email: string | undefined,
): Promise<{ email?: string; pending_email?: string | null }> {
  if (email === undefined) return {}
  if (!viewer.is_site_admin) return requestEmailChange(work, context, user, email)
  await requireFreeEmail(work.tx, email, user.id)
  return { email, pending_email: null }
}

async function writeUser({ tx, ...work }: WriteContext, user: LockedUser, columns: Partial<LockedUser>): Promise<void> {
  await tx
    .updateTable('account')
    .set((each) => ({
      ...columns,
      version: each('version', '+', 1),
      rights_epoch: each('rights_epoch', '+', 1),
    }))
    .where('id', '=', user.id)
    .execute()
  const current = new Map<string, unknown>(Object.entries(user))
  const wordings = Object.entries(columns).map(([column, value]) => ({
    name: column === 'login' ? 'username' : column,
    before: current.get(column) ?? null,
    value,
  }))
  await work.change({
    object: `users/${user.id}`,
    op: 'update',
    before: Object.fromEntries(wordings.map(({ name, before }) => [name, before])),
    after: Object.fromEntries(wordings.map(({ name, value }) => [name, value])),
    personal: PERSONAL_MEMBERS,
    ...('status' in columns && { action: 'user.status' }),
  })
}

async function mailReset(work: WriteContext, { id, login }: LockedUser): Promise<void> {
  await work.change({ object: `users/${id}`, op: 'update', action: 'user.password_reset' })
  await work.enqueue({
    type: 'mail',
    payload: { template: 'password_reset', account_id: id },
    object: `users/${id}`,
  })
  work.notify({ user: { id, username: login }, channel: 'mail', why: 'password_reset' })
}
