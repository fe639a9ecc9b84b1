import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { refusalOf, type ViewerRow, viewerOf } from '../account.ts'
import { LIFE } from './sign-in-by-token.ts'
import { viewerColumns } from './viewer-columns.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** Somebody who was let in, and stays. */
export interface Guest {
  readonly viewer: Viewer
  readonly headers: IncomingHttpHeaders
  /** Which password he had when he was last looked at. */
  readonly password?: string
}

interface Row extends ViewerRow {
  place: number
  password: string
}

/**
 * Who these people are now, each in his place; undefined: what he signed in with has ended. One statement for all of
 * them, which leaves no trace: to stay is no use of a session or a key.
 */
export async function stillSignedIn(context: Context, guests: readonly Guest[]): Promise<(Guest | undefined)[]> {
  await context.settings.seen(await readSettingsVersion(context.db))
  const now = context.clock.now()
  const rows = new Map((await findStanding(context, guests, now)).map((row) => [row.place, row]))
  return guests.map((guest, place) => {
    const { account_id, credential } = guest.viewer
    if (account_id === undefined) return context.settings.current.anonymous_access ? guest : undefined
    const row = rows.get(place)
    if (!row || !credential || refusalOf(row, now)) return undefined
    if (credential.kind === 'basic' && guest.password !== undefined && guest.password !== row.password) return undefined
    return { ...guest, viewer: viewerOf(row, credential), password: row.password }
  })
}

async function findStanding({ db, settings }: Context, guests: readonly Guest[], now: Date): Promise<Row[]> {
  const { session_idle_minutes, session_max_days } = settings.current
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const { rows } = await sql<Row>`
    select given.place, ${viewerColumns}, md5(coalesce(account.password_hash, '')) as password
    from unnest(${guests.map((_, place) => place)}::bigint[],
        ${guests.map(({ viewer }) => viewer.account_id ?? null)}::bigint[],
        ${guests.map(({ viewer }) => viewer.credential?.kind ?? null)}::text[],
        ${guests.map(({ viewer }) => viewer.credential?.id ?? null)}::text[], ${guests.map(tokenDigest)}::text[]
      ) as given (place, account_id, kind, id, digest)
      join account on account.id = given.account_id
    where case given.kind
      when 'basic' then true
      when 'access_key' then exists (select from access_key where access_key.id = given.id::bigint
        and not access_key.is_over and (access_key.expires_on is null or access_key.expires_on > ${now}))
      when 'session' then exists (select from session where session.id = given.id
        and session.last_used_on >= ${ago(session_idle_minutes * MINUTE)}
        and session.created_on >= ${ago(session_max_days * DAY)})
      when 'token' then exists (select from token where token.digest = decode(given.digest, 'hex')
        and not token.is_over and token.created_on >= ${ago(LIFE)})
      else false end`.execute(db)
  return rows
}

/** A token has no id that could name it. */
function tokenDigest({ viewer, headers }: Guest): string | null {
  if (viewer.credential?.kind !== 'token') return null
  return sha256(Buffer.from(String(headers['x-auth-token']), 'hex')).toString('hex')
}
