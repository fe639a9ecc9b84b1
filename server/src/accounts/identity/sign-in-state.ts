import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Db } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { makeCookie, readCookie } from '../sign-in/cookies.ts'

const COOKIE = 'waypost-identity'
const PURPOSE = 'sign_in_state'
const STATE_TTL_MS = 600_000
const MAX_PATH_LENGTH = 1000

/** A sign-in under way. It is in the browser alone, encrypted, so that anonymous visitors fill no table. */
const SignInState = Type.Object({
  provider: Type.String(),
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  return_to: Type.String(),
  confirms: Type.Boolean(),
  until: Type.Integer(),
})
export type SignInState = Static<typeof SignInState>

export function signInStateCookie(context: Context, given: Omit<SignInState, 'until'>): string {
  const until = context.clock.now().getTime() + STATE_TTL_MS
  const locked = context.secrets.encrypt(PURPOSE, JSON.stringify({ ...given, until }))
  // Lax: the answer of the provider is a navigation from another site.
  const lifetime = { seconds: STATE_TTL_MS / 1000, sameSite: 'Lax' } as const
  return makeCookie(context.config, COOKIE, locked.toString('base64url'), lifetime)
}

export function clearedStateCookie({ config }: Context): string {
  return makeCookie(config, COOKIE, '', { seconds: 0, sameSite: 'Lax' })
}

/** The state of this browser; undefined if there is none, or if it is over. */
export function readSignInState(
  { config, secrets, clock }: Context,
  headers: IncomingHttpHeaders,
): SignInState | undefined {
  const value = readCookie(headers, config, COOKIE)
  if (value === undefined || value === '') return undefined
  try {
    const state: unknown = JSON.parse(secrets.decrypt(PURPOSE, Buffer.from(value, 'base64url')))
    return Check(SignInState, state) && state.until > clock.now().getTime() ? state : undefined
  } catch {
    return undefined
  }
}

/** False: the state was used before, on this process or on another one. */
export async function useSignInState(db: Db, { state, until }: SignInState): Promise<boolean> {
  return useOnce(db, `state ${state}`, new Date(until))
}

/** False: the text was used before. */
export async function useOnce(db: Db, text: string, expires_on: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into used_identity_token (digest, expires_on)
    values (${sha256(Buffer.from(text))}, ${expires_on}) on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

/** A path of this platform; `/` for anything else, to prevent open redirects. */
export function ownPath(
  { config: { WAYPOST_PUBLIC_URL: base } }: Pick<Context, 'config'>,
  given: string | undefined,
): string {
  if (given === undefined || given.length > MAX_PATH_LENGTH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return '/'
  const url = URL.parse(given, base.origin)
  // `/.//evil.example` becomes `//evil.example` when it is parsed.
  if (url?.origin !== base.origin || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
