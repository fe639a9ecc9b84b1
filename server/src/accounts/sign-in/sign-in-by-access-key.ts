import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { presentSnapshot } from '../../platform/database/snapshots.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import type { Credential, Viewer } from '../../platform/http/viewer.ts'
import { type AccessKey, type AccessKeyId, parseAccessKey } from '../access-keys/access-key.ts'
import { scopeError } from '../auth-errors.ts'
import { accountError, type ViewerRow, toViewer } from '../account.ts'
import { earliest, keyStamp, type SignInMemory } from './recalled-sign-in.ts'
import { nextStoredUse, storeUses } from './store-uses.ts'
import { viewerColumns } from './viewer-columns.ts'

export interface KeyRow extends ViewerRow {
  key_id: AccessKeyId
  prefix: string
  digest: Buffer
  scopes: string[]
  projects: number[] | null
  expires_on: Date | null
  is_over: boolean
  last_used_on: Date | null
  last_used_by: string | null
  settings_version: number
  stamp: string
  snapshot: string
}

// Compared if there is no key at all.
const NO_DIGEST = Buffer.alloc(32)

/** The reason of a refusal is reported only if the secret is correct. */
export async function signInByAccessKey(
  context: Context,
  memory: SignInMemory,
  { address, reads }: Pick<Credentials, 'address' | 'reads'>,
  text: string,
): Promise<Viewer> {
  const given = parseAccessKey(text)
  if (!given) throw new ApiError('credentials_malformed')
  const key = await findVerifiedKey(context, given)
  if (!key) throw new ApiError('credentials_invalid')

  await enterByKey(context, key, address, () => requireScope(key.scopes, reads), memory)
  const { scopes, expires_on, last_used_on, password_expires_on, stamp, snapshot } = key
  const viewer = { ...toViewer(key, keyCredential('access_key', key)), key: { scopes, expires_on } }
  // A use that was stored just now has changed the stamp.
  const from = context.clock.now()
  if (last_used_on && !isUseWorthStoring(key, address, from)) {
    const until = earliest(nextStoredUse(last_used_on), expires_on, password_expires_on)
    const valid = { snapshot: context.snapshots.note(snapshot), usedOn: from }
    memory.keep(text, { viewer, kind: 'access_key', id: String(key.key_id), stamp, valid, from, until, address })
  }
  return viewer
}

/** The credential of a request by a key, with the projects that limit it. */
export function keyCredential(kind: 'access_key' | 'svn', { key_id, projects }: KeyRow): Credential {
  return { kind, id: String(key_id), ...(projects && { projects }) }
}

/**
 * Signs in the owner of a verified key, unless it is expired, lacks the scope, or the account may not sign in; stores
 * the use.
 */
export async function enterByKey(
  context: Context,
  key: KeyRow,
  address: string,
  requireItsScope: () => void,
  memory?: SignInMemory,
): Promise<void> {
  const now = context.clock.now()
  if (isOver(key, now)) {
    await updateKey(context, key.key_id, { is_over: true })
    throw new ApiError('credentials_expired')
  }
  requireItsScope()
  const refusal = accountError(key, now)
  if (refusal) throw refusal
  if (!isUseWorthStoring(key, address, now)) return
  if (key.last_used_by === address && memory) await storeUses(context, memory, 'access_key', String(key.key_id))
  else await updateKey(context, key.key_id, { last_used_on: now, last_used_by: address })
}

/**
 * The key and its owner, if the secret is correct. For an unknown id the preceding key is compared, so that the timing
 * does not reveal which ids exist.
 */
export async function findVerifiedKey(context: Context, given: AccessKey): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${viewerColumns}, access_key.id as key_id, access_key.prefix, access_key.digest, access_key.scopes, access_key.projects, access_key.expires_on,
      access_key.is_over, access_key.last_used_on, access_key.last_used_by, ${settingsVersion} as settings_version,
      ${keyStamp} as stamp, ${presentSnapshot} as snapshot
    from access_key join account on account.id = access_key.account_id
    where access_key.id <= ${given.id} order by access_key.id desc limit 1`.execute(context.db)
  const [key] = rows
  if (key) await context.settings.reloadIfChanged(key.settings_version)
  const matches = timingSafeEqual(sha256(given.secret), key?.digest ?? NO_DIGEST)
  return matches && key?.key_id === given.id && key.prefix === given.prefix ? key : undefined
}

function requireScope(scopes: readonly string[], reads: boolean): void {
  const allowed = reads ? ['write:rest', 'read:rest'] : ['write:rest']
  if (!allowed.some((scope) => scopes.includes(scope))) throw scopeError(reads ? 'read:rest' : 'write:rest', allowed)
}

function isOver({ is_over, expires_on }: KeyRow, now: Date): boolean {
  return is_over || (expires_on !== null && expires_on <= now)
}

/** The last use is stored at most once a minute, unless the address changes. */
function isUseWorthStoring({ last_used_on, last_used_by }: KeyRow, address: string, now: Date): boolean {
  return last_used_by !== address || !last_used_on || now >= nextStoredUse(last_used_on)
}

async function updateKey(
  { db }: Context,
  id: AccessKeyId,
  change: { is_over: true } | { last_used_on: Date; last_used_by: string },
): Promise<void> {
  await db.updateTable('access_key').set(change).where('id', '=', id).execute()
}
