import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { Secrets } from '../../platform/operation/secrets.ts'
import type { IdentityProvider } from './identity-provider.ts'

const PURPOSE = 'identity_provider'

export function lockClientSecret(secrets: Secrets, secret: string): Buffer {
  return secrets.encrypt(PURPOSE, secret)
}

/**
 * The secret of the client; undefined: it has none. A file is read for each sign-in, so that a new one counts at once.
 * Files are in one folder of the operator: an administrator of the site cannot read others by naming them.
 */
export async function readClientSecret(
  { secrets, config: { WAYPOST_IDENTITY_SECRETS: folder } }: Context,
  { secret, settings: { client_secret_file: file } }: Pick<IdentityProvider, 'secret' | 'settings'>,
): Promise<string | undefined> {
  if (secret) return secrets.decrypt(PURPOSE, secret)
  if (!file) return undefined
  if (folder === null) throw new Error('WAYPOST_IDENTITY_SECRETS is not set.')
  return (await readFile(join(folder, basename(file)), 'utf8')).trim()
}

/** Encrypts the secrets of all providers with the first key; returns the names whose secret none of the keys opens. */
export async function relockClientSecrets(
  { db, secrets }: Context,
  { isDryRun }: { isDryRun: boolean },
): Promise<{ current: number; relocked: number; lost: string[] }> {
  const report: { current: number; relocked: number; lost: string[] } = { current: 0, relocked: 0, lost: [] }
  const { rows } = await sql<{ name: string; secret: Buffer }>`
    select name, secret from identity_provider where secret is not null order by name`.execute(db)
  for (const { name, secret } of rows) {
    const fresh = attempt(() => secrets.reencrypt(PURPOSE, secret))
    if (fresh === 'lost') report.lost.push(name)
    else if (fresh === undefined) report.current++
    else {
      report.relocked++
      if (!isDryRun)
        await sql`update identity_provider set secret = ${fresh} where name = ${name} and secret = ${secret}`.execute(
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
