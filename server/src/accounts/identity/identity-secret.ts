import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { Secrets } from '../../platform/operation/secrets.ts'

/** The tables with a `secret`, which also name the purpose of the encryption. */
type SecretTable = 'identity_provider' | 'directory'

interface StoredSecret {
  readonly secret: Buffer | null
  readonly file: string | null | undefined
}

/** The secret to store: the given one encrypted, none for null, the stored one for undefined. */
export function toStoredSecret(
  secrets: Secrets,
  table: SecretTable,
  given: string | null | undefined,
  stored: Buffer | null = null,
): Buffer | null {
  if (given === undefined) return stored
  return given === null ? null : secrets.encrypt(table, given)
}

/**
 * The secret; undefined: there is none. A file is read for each use, so that a new one counts at once. Files are in one
 * folder of the operator: an administrator of the site cannot read others by naming them.
 */
export async function readIdentitySecret(
  { secrets, config: { WAYPOST_IDENTITY_SECRETS: folder } }: Context,
  table: SecretTable,
  { secret, file }: StoredSecret,
): Promise<string | undefined> {
  if (secret) return secrets.decrypt(table, secret)
  if (!file) return undefined
  if (folder === null) throw new Error('WAYPOST_IDENTITY_SECRETS is not set.')
  return (await readFile(join(folder, basename(file)), 'utf8')).trim()
}

export interface IdentityRelockReport {
  current: number
  relocked: number
  lost: string[]
}

/** Encrypts the secrets of a table with the first key; returns the names whose secret none of the keys opens. */
export async function relockIdentitySecrets(
  { db, secrets }: Context,
  table: SecretTable,
  { isDryRun }: { isDryRun: boolean },
): Promise<IdentityRelockReport> {
  const report: IdentityRelockReport = { current: 0, relocked: 0, lost: [] }
  const { rows } = await sql<{ name: string; secret: Buffer }>`
    select name, secret from ${sql.table(table)} where secret is not null order by name`.execute(db)
  for (const { name, secret } of rows) {
    const fresh = attempt(() => secrets.reencrypt(table, secret))
    if (fresh === 'lost') report.lost.push(name)
    else if (fresh === undefined) report.current++
    else {
      report.relocked++
      if (!isDryRun)
        await sql`update ${sql.table(table)} set secret = ${fresh} where name = ${name} and secret = ${secret}`.execute(
          db,
        )
    }
  }
  return report
}

function attempt(reencrypt: () => Buffer | undefined): Buffer | undefined | 'lost' {
  try {
    return reencrypt()
  } catch {
    return 'lost'
  }
}
