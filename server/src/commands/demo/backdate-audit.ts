import { Client } from 'pg'
import type { DemoScene } from './demo-scene.ts'

/**
 * Dates the creation of projects and members as the other demo data: the database dates the audit log itself, and only
 * the owner of the database can change that. Otherwise the activity of a project begins with its members.
 */
export async function backdateAudit({ context }: Pick<DemoScene, 'context'>, on: Date): Promise<void> {
  const connectionString = context.config.WAYPOST_MIGRATE_URL
  if (!connectionString) return
  const owner = new Client({ connectionString })
  await owner.connect()
  try {
    await owner.query('update audit set "on" = $1', [on])
  } finally {
    await owner.end()
  }
}
