import type { Db } from '../src/platform/database/db.ts'
import { VAULT_CANARY } from './canaries.ts'
import { LONG_AGO } from './insert-artifact.ts'
import { HOARD, LOST_SEEDS, MARSH, ORCHARD, PEAT, SEEDS, VAULT } from './places.ts'

const REPOSITORIES = [
  { id: SEEDS, project_id: ORCHARD, name: 'seeds', text: '' },
  { id: HOARD, project_id: VAULT, name: VAULT_CANARY, text: `# ${VAULT_CANARY}` },
  { id: LOST_SEEDS, project_id: ORCHARD, name: 'lost-seeds', text: '', deleted_on: LONG_AGO },
  { id: PEAT, project_id: MARSH, name: 'peat', text: '' },
]

/** What the database knows of some repositories; on disk there are none. */
export async function seedRepositories(db: Db): Promise<void> {
  for (const { text, ...repository } of REPOSITORIES) {
    await db
      .insertInto('repository')
      .values({ ...repository, notifications: '[]', created_on: LONG_AGO })
      .execute()
    await db
      .insertInto('repository_access_file')
      .values({
        project_id: repository.project_id,
        repository_id: repository.id,
        version: 1,
        text,
        has_default_permissions: true,
        made_on: LONG_AGO,
      })
      .execute()
  }
}
