import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Config } from '../../platform/operation/config.ts'
import { presentSnapshot } from '../../platform/database/snapshots.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { accountError, type ViewerRow, toViewer } from '../account.ts'
import { makeCookie, readCookie } from './cookies.ts'
import { earliest, sessionStamp, type SignInMemory } from './recalled-sign-in.ts'
import { requireSameOrigin } from './same-origin.ts'
import { nextStoredUse, storeUses } from './store-uses.ts'
import { viewerColumns } from './viewer-columns.ts'

const COOKIE = 'waypost'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface SessionRow extends ViewerRow {
  session_id: string
  created_on: Date
  last_used_on: Date
  confirmed_on: Date | null
  settings_version: number
  stamp: string
  snapshot: string
}

/** The cookie of the web interface; it counts on same-origin requests only. */
export async function signInBySession(
  context: Context,
  memory: SignInMemory,
  credentials: Credentials,
  cookie: string,
): Promise<Viewer> {
  if (!credentials.visits) requireSameOrigin(credentials.headers, context.config)
  const session = await findSession(context, cookie)
  const now = context.clock.now()
  if (!session || accountError(session, now))
    throw new ApiError('session_expired').with({ 'set-cookie': clearedCookie(context.config) })
  const { session_id: id, confirmed_on, created_on, last_used_on, password_expires_on, stamp, snapshot } = session
  const viewer = { ...toViewer(session, { kind: 'session', id }), confirmed_on }
  const nextUse = nextStoredUse(last_used_on)
  if (now >= nextUse) await storeUses(context, memory, 'session', id)
  else {
    const end = new Date(created_on.getTime() + context.settings.current.session_max_days * DAY_MS)
    const until = earliest(nextUse, end, password_expires_on)
    const valid = { snapshot: context.snapshots.note(snapshot), usedOn: now }
    memory.keep(cookie, { viewer, kind: 'session', id, stamp, valid, from: now, until, address: null })
  }
  return viewer
}

/** Undefined if unknown or expired. An expired session is deleted, so that a clock set back does not revive it. */
async function findSession(context: Context, cookie: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${viewerColumns}, session.id as session_id, session.created_on, session.last_used_on, session.confirmed_on,
      ${settingsVersion} as settings_version, ${sessionStamp} as stamp, ${presentSnapshot} as snapshot
    from session join account on account.id = session.account_id
    where session.digest = ${sha256(Buffer.from(cookie, 'base64url'))}`.execute(context.db)
  const [row] = rows
  if (!row) return undefined
  await context.settings.reloadIfChanged(row.settings_version)
  const { session_idle_minutes, session_max_days } = context.settings.current
  const now = context.clock.now().getTime()
  const isIdle = now - row.last_used_on.getTime() > session_idle_minutes * MINUTE_MS
  const isOld = now - row.created_on.getTime() > session_max_days * DAY_MS
  if (!isIdle && !isOld) return row
  await context.db.deleteFrom('session').where('id', '=', row.session_id).execute()
  return undefined
}

export function readSessionCookie(headers: IncomingHttpHeaders, config: Config): string | undefined {
  return readCookie(headers, config, COOKIE)
}

export function sessionCookie(config: Config, value: string, seconds: number): string {
  return makeCookie(config, COOKIE, value, { seconds, sameSite: 'Lax' })
}

export function clearedCookie(config: Config): string {
  return sessionCookie(config, '', 0)
}
