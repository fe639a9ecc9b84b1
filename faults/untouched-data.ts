import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { openDatabase } from '../server/src/platform/database/db.ts'
import type { MadeTracker } from '../server/test/fixtures/every-field.ts'

/**
 * Digests by name of all data that no operation of a run may touch. The trash is excluded because it is purged by time.
 */
export type DataDigests = ReadonlyMap<string, string>

export async function readUntouchedData(ownerUrl: string, { id }: MadeTracker): Promise<DataDigests> {
  const parts: Readonly<Record<string, RawBuilder<unknown>>> = {
    artifacts: sql`select to_jsonb(each) as row from artifact each where tracker_id <> ${id} and deleted_on is null`,
    versions: sql`select to_jsonb(each) as row from changeset each where tracker_id <> ${id}
      and exists (select from artifact where artifact.id = each.artifact_id and artifact.deleted_on is null)`,
    trackers: sql`select to_jsonb(each) as row from tracker each where id <> ${id} and deleted_on is null`,
    projects: sql`select to_jsonb(each) as row from project each`,
    members: sql`select to_jsonb(each) as row from project_member each`,
    accounts: sql`select jsonb_build_array(id, login, email, status) as row from account`,
  }
  const db = openDatabase({ connectionString: ownerUrl, max: 1 })
  try {
    const digests = new Map<string, string>()
    for (const [name, query] of Object.entries(parts)) {
      // Sorted here, because collations differ between hosts.
      const { rows } = await sql<{ row: unknown }>`select read.row from (${query}) read`.execute(db)
      const texts = rows.map(({ row }) => JSON.stringify(row)).toSorted()
      digests.set(name, createHash('sha256').update(texts.join('\n')).digest('hex'))
    }
    return digests
  } finally {
    await db.destroy()
  }
}

/** The names of changed data. */
export function changedData(before: DataDigests, after: DataDigests): string[] {
  return [...before.keys()].filter((name) => before.get(name) !== after.get(name))
}
