import { Client } from 'pg'

const PROJECT_EVENTS = ['project.created', 'project.changed', 'member.added', 'member.removed']

/**
 * Dates all rows of the audit log, and the events of projects, at a moment of the past, for demo data. The database
 * dates rows itself, and only the owner of the schema can change that.
 */
export async function backdateAudit(ownerUrl: string, on: Date): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query('update audit set "on" = $1', [on])
    await owner.query('update event set "on" = $1 where type = any($2)', [on, PROJECT_EVENTS])
  } finally {
    await owner.end()
  }
}
