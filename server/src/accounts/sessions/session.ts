import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Origin } from '../../platform/database/audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { SettingsSchema } from '../../platform/operation/settings.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { UserFull } from '../users/schemas.ts'
import { sessionCookie } from '../sign-in/sign-in-by-session.ts'
import { type FullUserRow, fullUserColumns, representUser } from '../users/user.ts'
import { describeUserAgent } from './user-agent.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const MAX_SESSIONS_PER_ACCOUNT = 50

export const SessionSchema = Type.Object(
  {
    id: Type.String(),
    is_current: Type.Boolean({ description: 'It is the one that asks.' }),
    created_on: Type.String(),
    last_used_on: Type.String(),
    expires_on: Type.String({ description: 'It ends earlier when it is not used.' }),
    address: Type.Union([Type.String(), Type.Null()]),
    agent: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'Session' },
)
const { project_creation, who_may_invite, restricted_users, contact_email } = SettingsSchema.properties

export const SessionWithUser = Type.Object(
  {
    ...SessionSchema.properties,
    user: UserFull,
    settings: Type.Object(
      { project_creation, who_may_invite, restricted_users, contact_email },
      { title: 'SessionSettings', description: 'Settings of the platform by which pages decide what they offer.' },
    ),
  },
  { title: 'SessionWithUser' },
)

export interface SessionRow {
  id: string
  created_on: Date
  last_used_on: Date
  address: string | null
  agent: string | null
}

export const sessionColumns = sql`session.id, session.created_on, session.last_used_on, session.address, session.agent`

/** SQL condition on `session`: not expired. */
export function isLiveSession({ settings, clock }: Context): RawBuilder<boolean> {
  const { session_idle_minutes, session_max_days } = settings.current
  const now = clock.now().getTime()
  return sql`(session.last_used_on >= ${new Date(now - session_idle_minutes * MINUTE_MS)}
    and session.created_on >= ${new Date(now - session_max_days * DAY_MS)})`
}

export function representSession(
  { settings }: Context,
  { session_id }: Viewer,
  { id, created_on, last_used_on, address, agent }: SessionRow,
): Static<typeof SessionSchema> {
  return {
    id,
    is_current: id === session_id,
    created_on: apiDate(created_on),
    last_used_on: apiDate(last_used_on),
    expires_on: apiDate(new Date(created_on.getTime() + settings.current.session_max_days * DAY_MS)),
    address,
    agent,
  }
}

/** The session with its account, for `/session`, which only its owner can read. */
export async function representOwnSession(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  session: SessionRow,
): Promise<Static<typeof SessionWithUser>> {
  const { rows } = await sql<FullUserRow>`
    select ${fullUserColumns} from account where account.id = ${viewer.account_id ?? null}`.execute(db)
  const [user] = rows
  if (!user) throw new ApiError('not_found')
  return {
    ...representSession(context, viewer, session),
    user: representUser(context, viewer, user),
    settings: context.settings.current,
  }
}

/**
 * Starts a session. The cookie value is always new, and only its hash is stored. The caller locks the account row, so
 * that concurrent sign-ins cannot exceed the limit.
 */
export async function beginSession(
  tx: Tx,
  { config, clock, settings }: Context,
  account_id: AccountId,
  { address }: Origin,
  { 'user-agent': userAgent }: IncomingHttpHeaders,
  confirmed_on: Date | null = clock.now(),
): Promise<{ session: SessionRow; cookie: string }> {
  const now = clock.now()
  await sql`
    delete from session where session.id in (
      select each.id from session each where each.account_id = ${account_id}
      order by each.last_used_on desc, each.created_on desc offset ${MAX_SESSIONS_PER_ACCOUNT - 1})`.execute(tx)
  const secret = randomBytes(32)
  const session = {
    id: randomBytes(8).toString('hex'),
    created_on: now,
    last_used_on: now,
    address,
    agent: describeUserAgent(userAgent),
  }
  await tx
    .insertInto('session')
    .values({ ...session, account_id, digest: sha256(secret), confirmed_on })
    .execute()
  const maxAgeSeconds = settings.current.session_max_days * (DAY_MS / 1000)
  return { session, cookie: sessionCookie(config, secret.toString('base64url'), maxAgeSeconds) }
}
