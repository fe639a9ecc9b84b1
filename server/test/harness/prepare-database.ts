import { openDatabase } from '../../src/platform/database/db.ts'
import { APP_ROLE } from '../../src/platform/database/local-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { seed } from '../fixtures/seed.ts'

/** Creates the schema and the seeded test data. */
export async function prepareDatabase(ownerUrl: string): Promise<void> {
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl, max: 1 })
  try {
    await seed(db)
  } finally {
    await db.destroy()
  }
}
