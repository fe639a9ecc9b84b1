import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Config } from '../../platform/operation/config.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { refusalOf, type ViewerRow, viewerOf } from '../account.ts'
import { requireSameOrigin } from './same-origin.ts'
import { viewerColumns } from './viewer-columns.ts'

const RESOLUTION = 60_000
const MINUTE = 60_000
const DAY = 86_400_000

interface SessionRow extends ViewerRow {
  session_id: string
  created_on: Date
  last_used_on: Date
  settings_version: number
}

/** The cookie of the web interface; it counts on same-origin requests only. */
export async function signInBySession(context: Context, credentials: Credentials, cookie: string): Promise<Viewer> {
  if (!credentials.visits) requireSameOrigin(credentials.headers, context.config)
  const session = await findSession(context, cookie)
  const now = context.clock.now()
  if (!session || refusalOf(session, now))
    throw new ApiError('session_expired').with({ 'set-cookie': clearedCookie(context.config) })
  if (now.getTime() - session.last_used_on.getTime() >= RESOLUTION)
    await context.db.updateTable('session').set({ last_used_on: now }).where('id', '=', session.session_id).execute()
  return viewerOf(session, { kind: 'session', id: session.session_id })
}

/** Undefined: unknown, or over. One that is over is removed: a clock that is set back does not bring it to life. */
async function findSession(context: Context, cookie: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${viewerColumns}, session.id as session_id, session.created_on, session.last_used_on,
      ${settingsVersion} as settings_version
    from session join account on account.id = session.account_id
    where session.digest = ${sha256(Buffer.from(cookie, 'base64url'))}`.execute(context.db)
  const [row] = rows
  if (!row) return undefined
  await context.settings.seen(row.settings_version)
  const { session_idle_minutes, session_max_days } = context.settings.current
  const now = context.clock.now().getTime()
  const isIdle = now - row.last_used_on.getTime() > session_idle_minutes * MINUTE
  const isOld = now - row.created_on.getTime() > session_max_days * DAY
  if (!isIdle && !isOld) return row
  await context.db.deleteFrom('session').where('id', '=', row.session_id).execute()
  return undefined
}

export function cookieOf({ cookie = '' }: IncomingHttpHeaders, config: Config): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === cookieName(config))?.[1]
}

export function sessionCookie(config: Config, value: string, seconds: number): string {
  const secure = config.WAYPOST_PUBLIC_URL.protocol === 'https:' ? '; Secure' : ''
  return `${cookieName(config)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

export function clearedCookie(config: Config): string {
  return sessionCookie(config, '', 0)
}

function cookieName({ WAYPOST_PUBLIC_URL }: Config): string {
  return WAYPOST_PUBLIC_URL.protocol === 'https:' ? '__Host-waypost' : 'waypost'
}
