import { Client } from 'pg'
import { GROUPS } from '../../server/src/commands/bench-data/bench-tracker.ts'
import type { Installed } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { progressBar } from '../../server/src/commands/print.ts'
import { seedBenchArtifacts } from '../../server/src/commands/seed-artifacts.ts'
import { sha256 } from '../../server/src/platform/operation/secrets.ts'
import { KEYS } from './keys.ts'

export const BENCH_SECRET_KEY = 'a-secret-key-of-the-measurements-that-is-long-enough'

/** Runs `waypost seed --artifacts` and creates an access key for each measured role. */
export async function installBench(ownerUrl: string, appUrl: string, size: number): Promise<Installed> {
  const environment = {
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_MIGRATE_URL: ownerUrl,
    WAYPOST_SECRET_KEYS: BENCH_SECRET_KEY,
    WAYPOST_LOG_LEVEL: 'error',
  }
  const installed = await seedBenchArtifacts(environment, size, progressBar('artifacts', size))
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
