import type { Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { ProjectId } from '../projects/project.ts'
import type { AccessRules, RepositoryId, RepositoryRules } from './repository.ts'

interface CreationInfo {
  readonly by: AccountId | null
  readonly on: Date
}

/** Claims the name; the unique index blocks concurrent claims until the transaction ends. */
export async function insertRepository(
  tx: Tx,
  {
    project_id,
    name,
    rules,
    access,
  }: { project_id: ProjectId; name: string; rules: RepositoryRules; access: AccessRules },
  { by, on }: CreationInfo,
): Promise<RepositoryId> {
  const row = await tx
    .insertInto('repository')
    .values({ project_id, name, ...toRepositoryColumns(rules), created_by: by, created_on: on })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new ApiError('repository_name_taken', { path: 'name', rule: 'unique' })
  await insertAccessFile(tx, { project_id, repository_id: row.id, version: 1, access }, { by, on })
  return row.id
}

export async function insertAccessFile(
  tx: Tx,
  made: { project_id: ProjectId; repository_id: RepositoryId; version: number; access: AccessRules },
  { by, on }: CreationInfo,
): Promise<void> {
  const { access, ...key } = made
  await tx
    .insertInto('repository_access_file')
    .values({ ...key, ...access, made_by: by, made_on: on })
    .execute()
}

export function toRepositoryColumns(rules: RepositoryRules) {
  const { immutable_paths, immutable_whitelist, required_states, notifications, ...flags } = rules
  return {
    ...flags,
    required_states: [...required_states],
    immutable_paths: [...immutable_paths],
    immutable_whitelist: [...immutable_whitelist],
    notifications: JSON.stringify(notifications),
  }
}
