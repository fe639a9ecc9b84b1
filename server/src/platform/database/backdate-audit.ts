import { Client } from 'pg'

/**
 * Dates all rows of the audit log at a moment of the past, for demo data. The database dates rows itself, and only the
 * owner of the schema can change that.
 */
export async function backdateAudit(ownerUrl: string, on: Date): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query('update audit set "on" = $1', [on])
  } finally {
    await owner.end()
  }
}
