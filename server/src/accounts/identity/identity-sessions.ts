import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import { type Secrets, sha256 } from '../../platform/operation/secrets.ts'
import { endSessionsWhere } from './end-identity-sessions.ts'
import { SignInRefused } from './identity-refusal.ts'

const ID_TOKEN_PURPOSE = 'id_token'
const MAX_ID_TOKEN_LENGTH = 8000

/** A session at a provider, or all those of a subject there. */
export interface ProviderSession {
  readonly provider: string
  readonly subject?: string | undefined
  readonly sid?: string | undefined
}

/**
 * Connects a new session with the one at the provider, unless that one has been ended: by its name at any time, or with
 * all those of the subject since the person proved who they are.
 */
export async function storeIdentitySession(
  tx: Tx,
  { secrets }: Context,
  session_id: string,
  session: ProviderSession & { readonly subject: string },
  token: { readonly text: string; readonly provenOn: Date },
): Promise<void> {
  const names = await lockSessionNames(tx, session)
  const { rows } = await sql`select from ended_identity_session
    where digest = any(${names.map(({ digest }) => digest)}::bytea[])
      and (digest = any(${names.filter(({ kind }) => kind === 'sid').map(({ digest }) => digest)}::bytea[])
        or ended_on >= ${token.provenOn}) limit 1`.execute(tx)
  if (rows.length > 0) throw new SignInRefused('ended')
  const { provider, subject, sid = null } = session
  const id_token = token.text.length > MAX_ID_TOKEN_LENGTH ? null : secrets.encrypt(ID_TOKEN_PURPOSE, token.text)
  await tx.insertInto('identity_session').values({ session_id, provider, subject, sid, id_token }).execute()
}

/**
 * Ends the sessions that began with this one at the provider, also those that are beginning now. A logout that names a
 * session leaves the other sessions of the subject alone.
 */
export async function endProviderSessions(tx: Tx, session: ProviderSession, now: Date): Promise<string[]> {
  const { provider, subject, sid } = session
  const names = await lockSessionNames(tx, sid === undefined ? { provider, subject } : { provider, sid })
  await sql`insert into ended_identity_session (digest, ended_on)
    select digest, ${now} from unnest(${names.map(({ digest }) => digest)}::bytea[]) as digest
    on conflict (digest) do update set ended_on = greatest(ended_identity_session.ended_on, excluded.ended_on)`.execute(
    tx,
  )
  return endSessionsWhere(
    tx,
    sql`identity_session.provider = ${provider}
      and (${subject ?? null}::text is null or identity_session.subject = ${subject ?? null})
      and (${sid ?? null}::text is null or identity_session.sid = ${sid ?? null})`,
  )
}

interface SessionName {
  readonly kind: 'sid' | 'sub'
  readonly digest: Buffer
}

/** The locks put sign-ins and logouts into an order. */
async function lockSessionNames(tx: Tx, { provider, subject, sid }: ProviderSession): Promise<SessionName[]> {
  const names: SessionName[] = []
  for (const [kind, value] of [['sid', sid] as const, ['sub', subject] as const]) {
    if (value === undefined) continue
    const text = `${kind} ${provider} ${value}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(tx)
    names.push({ kind, digest: sha256(Buffer.from(text)) })
  }
  return names
}

/** The provider of a session and its token there; undefined: it began with a password. */
export async function findIdentitySession(
  { db, secrets }: Context,
  session_id: string,
): Promise<{ provider: string; idToken: string | undefined } | undefined> {
  const found = await db
    .selectFrom('identity_session')
    .select(['provider', 'id_token'])
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return found && { provider: found.provider, idToken: decryptToken(secrets, found.id_token) }
}

/** After a change of keys the provider asks which session is meant. */
function decryptToken(secrets: Secrets, encrypted: Buffer | null): string | undefined {
  if (encrypted === null) return undefined
  try {
    return secrets.decrypt(ID_TOKEN_PURPOSE, encrypted)
  } catch {
    return undefined
  }
}
