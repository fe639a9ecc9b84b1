import { Client } from 'pg'
import { GROUPS } from '../../server/src/artifacts/seeding/bench-tracker.ts'
import type { Installed } from '../../server/src/artifacts/seeding/rows-of-artifact.ts'
import { progressBar } from '../../server/src/commands/print.ts'
import { seedArtifacts } from '../../server/src/commands/seed-artifacts.ts'
import { sha256 } from '../../server/src/platform/operation/secrets.ts'
import { KEYS } from './keys.ts'

export const SECRET_KEY = 'a-secret-key-of-the-measurements-that-is-long-enough'

/** What `waypost seed --artifacts` makes, and an access key for each of those who are measured. */
export async function install(ownerUrl: string, appUrl: string, size: number): Promise<Installed> {
  const environment = {
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_MIGRATE_URL: ownerUrl,
    WAYPOST_SECRET_KEYS: SECRET_KEY,
    WAYPOST_LOG_LEVEL: 'error',
  }
  const installed = await seedArtifacts(environment, size, progressBar('artifacts', size))
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  for (const { first, role } of Object.values(GROUPS)) {
    const { id, prefix, secret } = KEYS[role]
    await client.query(
      `insert into access_key (id, account_id, prefix, digest, scopes, created_on)
       values ($1, $2, $3, $4, '{write:rest}', $5)`,
      [id, installed.ids.firstPerson + first, prefix, sha256(secret), new Date('2021-01-01T00:00:00Z')],
    )
  }
  await client.end()
  return installed
}
