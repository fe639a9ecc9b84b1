import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Origin } from '../../platform/database/audit.ts'
import type { Tx } from '../../platform/database/db.ts'
import { createWriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { accountError, toViewer, type ViewerRow } from '../account.ts'
import { rememberDevice } from '../sign-in/known-origins.ts'
import { CONFIRMATION_TTL_MS } from '../sign-in/require-confirmation.ts'
import { readSessionCookie } from '../sign-in/sign-in-by-session.ts'
import { beginSession } from '../sessions/session.ts'
import type { ProvenIdentity } from './exchange-code.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { IdentityRefusal } from './identity-refusal.ts'
import { storeIdentitySession } from './identity-sessions.ts'
import { matchAccount } from './match-account.ts'
import { followProviderGroups } from './provider-groups.ts'

type Outcome = { readonly cookies: readonly string[] } | { readonly refused: IdentityRefusal }

/** Signs a proven person in: finds or creates the account, follows its groups, and begins a session. */
export async function signInIdentity(
  tx: Tx,
  context: Context,
  provider: IdentityProvider,
  { claims, sid, idToken, issuedAt, authenticatedOn }: ProvenIdentity,
  origin: Origin,
  headers: IncomingHttpHeaders,
): Promise<Outcome> {
  const account = await matchAccount(createWriteContext(tx, origin, undefined), context, provider, claims)
  const refused = refusalOf(account, context.clock.now())
  if (refused) return { refused }

  await endReplacedSession(tx, context, account, headers)
  const confirmedOn = confirmation(authenticatedOn, context.clock.now())
  const { session, cookie } = await beginSession(tx, context, account.account_id, origin, headers, confirmedOn)
  const viewer = toViewer(account, { kind: 'session', id: session.id })
  const work = createWriteContext(tx, { ...origin, viewer }, 'sign_in')
  const { name, settings } = provider
  await storeIdentitySession(
    tx,
    context,
    session.id,
    { provider: name, subject: claims.subject, sid },
    { text: idToken, provenOn: authenticatedOn ?? issuedAt },
  )
  if (settings.groups_claim !== null)
    await followProviderGroups(work, context, provider, account.account_id, claims.groups)
  const device = await rememberDevice(tx, context, account.account_id, headers)
  const after = { session: session.id, agent: session.agent, provider: name }
  await work.change({ object: 'session', made: `users/${account.account_id}`, op: 'create', after })
  return { cookies: [cookie, device] }
}

function refusalOf(account: ViewerRow, now: Date): IdentityRefusal | undefined {
  const error = accountError(account, now)
  if (!error) return undefined
  const { reason } = error
  return reason === 'account_suspended' || reason === 'account_deleted' || reason === 'account_pending'
    ? reason
    : 'account_unusable'
}

/** A sign-in at the provider some time ago does not show who sits there now. */
function confirmation(authenticatedOn: Date | undefined, now: Date): Date | null {
  if (!authenticatedOn || now.getTime() - authenticatedOn.getTime() > CONFIRMATION_TTL_MS) return null
  return authenticatedOn < now ? authenticatedOn : now
}

/** Its cookie is about to be replaced: the same person has confirmed who they are. */
async function endReplacedSession(
  tx: Tx,
  { config }: Context,
  { account_id }: ViewerRow,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const cookie = readSessionCookie(headers, config)
  if (cookie === undefined) return
  await sql`delete from session where digest = ${sha256(Buffer.from(cookie, 'base64url'))}
    and account_id = ${account_id}`.execute(tx)
}
