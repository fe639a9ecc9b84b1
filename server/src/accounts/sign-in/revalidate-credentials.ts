import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { accountError, type ViewerRow, toViewer } from '../account.ts'
import { arePasswordsAllowed } from './passwords-allowed.ts'
import { TOKEN_TTL_MS } from './sign-in-by-token.ts'
import { viewerColumns } from './viewer-columns.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Credentials that are a password, or were created with one. */
const PASSWORD_CREDENTIALS = ['basic', 'token']

/** The signed-in viewer of an open stream. */
export interface StreamSession {
  readonly viewer: Viewer
  readonly headers: IncomingHttpHeaders
  /** The password hash at the last check. */
  readonly password?: string
}

interface ValidCredentialRow extends ViewerRow {
  place: number
  password: string
}

/**
 * Reloads the viewers of open streams, in order; undefined if the credential has ended. One statement for all, which
 * does not count as a use of the session or key.
 */
export async function revalidateCredentials(
  context: Context,
  sessions: readonly StreamSession[],
): Promise<(StreamSession | undefined)[]> {
  await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
  const now = context.clock.now()
  const rows = new Map((await findValidCredentials(context, sessions, now)).map((row) => [row.place, row]))
  return sessions.map((session, place) => {
    const { account_id, credential } = session.viewer
    if (account_id === undefined) return context.settings.current.anonymous_access ? session : undefined
    const row = rows.get(place)
    if (!row || !credential || accountError(row, now)) return undefined
    if (PASSWORD_CREDENTIALS.includes(credential.kind) && !arePasswordsAllowed(context, 'elsewhere')) return undefined
    if (credential.kind === 'basic' && session.password !== undefined && session.password !== row.password)
      return undefined
    return { ...session, viewer: toViewer(row, credential), password: row.password }
  })
}

async function findValidCredentials(
  { db, settings }: Context,
  sessions: readonly StreamSession[],
  now: Date,
): Promise<ValidCredentialRow[]> {
  const { session_idle_minutes, session_max_days } = settings.current
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const { rows } = await sql<ValidCredentialRow>`
    select given.place, ${viewerColumns}, md5(coalesce(account.password_hash, '')) as password
    from unnest(${sessions.map((_, place) => place)}::bigint[],
        ${sessions.map(({ viewer }) => viewer.account_id ?? null)}::bigint[],
        ${sessions.map(({ viewer }) => viewer.credential?.kind ?? null)}::text[],
        ${sessions.map(({ viewer }) => viewer.credential?.id ?? null)}::text[], ${sessions.map(tokenDigest)}::text[]
      ) as given (place, account_id, kind, id, digest)
      join account on account.id = given.account_id
    where case given.kind
      when 'basic' then true
      when 'access_key' then exists (select from access_key where access_key.id = given.id::bigint
        and not access_key.is_over and (access_key.expires_on is null or access_key.expires_on > ${now}))
      when 'session' then exists (select from session where session.id = given.id
        and session.last_used_on >= ${ago(session_idle_minutes * MINUTE_MS)}
        and session.created_on >= ${ago(session_max_days * DAY_MS)})
      when 'token' then exists (select from token where token.digest = decode(given.digest, 'hex')
        and not token.is_over and token.created_on >= ${ago(TOKEN_TTL_MS)})
      else false end`.execute(db)
  return rows
}

/** Tokens have no id, so the digest identifies them. */
function tokenDigest({ viewer, headers }: StreamSession): string | null {
  if (viewer.credential?.kind !== 'token') return null
  return sha256(Buffer.from(String(headers['x-auth-token']), 'hex')).toString('hex')
}
