import { sql } from 'kysely'
import { findLogins } from '../../accounts/users/find-users-by.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { RepositoryId } from '../repository.ts'
import { insertAccessFile } from '../store-repository.ts'
import { renameLogin } from './access-file.ts'

/** Access files name people by login, so they follow a changed login. */
export async function renameInAccessFiles(work: WriteContext, account: AccountId, before: string): Promise<void> {
  const now = (await findLogins(work.tx, [account])).get(account)
  if (now !== undefined && now !== before) await replaceLogin(work, before, now)
}

/** Removes an erased account from all access file versions and from the recipients of commit mails. */
export async function eraseInRepositories(work: WriteContext, account: AccountId): Promise<void> {
  const login = (await findLogins(work.tx, [account])).get(account)
  if (login !== undefined) {
    await replaceLogin(work, login, `erased-${account}`)
    for (const { repository_id, version, text } of await findAccessFilesNaming(work.tx, login))
      await work.tx
        .updateTable('repository_access_file')
        .set({ text: renameLogin(text, login, `erased-${account}`) })
        .where('repository_id', '=', repository_id)
        .where('version', '=', version)
        .execute()
  }
  await sql`
    update repository set version = repository.version + 1, notifications = (
      select jsonb_agg(jsonb_set(entry.one, '{users}', coalesce(
        (select jsonb_agg(person) from jsonb_array_elements(entry.one -> 'users') person
          where person <> to_jsonb(${account}::bigint)), '[]')) order by entry.place)
      from jsonb_array_elements(repository.notifications) with ordinality as entry (one, place))
    where repository.notifications @> jsonb_build_array(jsonb_build_object('users', jsonb_build_array(${account}::bigint)))`.execute(
    work.tx,
  )
}

interface AccessFileRow {
  project_id: ProjectId
  repository_id: RepositoryId
  version: number
  text: string
  has_default_permissions: boolean
  is_in_force: boolean
}

async function replaceLogin(work: WriteContext, from: string, to: string): Promise<void> {
  const { tx, origin } = work
  const { rows: times } = await sql<{ now: Date }>`select now() as now`.execute(tx)
  for (const file of await findAccessFilesNaming(tx, from)) {
    const text = renameLogin(file.text, from, to)
    if (!file.is_in_force || text === file.text) continue
    const { project_id, repository_id, has_default_permissions } = file
    const { rows } = await sql<{ access_version: number }>`
      update repository set version = repository.version + 1, access_version = (
        select max(made.version) + 1 from repository_access_file made where made.repository_id = repository.id)
      where repository.id = ${repository_id} returning repository.access_version`.execute(tx)
    const version = rows[0]?.access_version ?? 1
    const made = { by: origin.viewer.account_id ?? null, on: times[0]?.now ?? new Date() }
    await insertAccessFile(tx, { project_id, repository_id, version, access: { text, has_default_permissions } }, made)
    await work.change({
      object: `svn/${repository_id}`,
      op: 'update',
      project_id,
      action: 'repository.update',
      before: { access_version: file.version },
      after: { access_version: version },
    })
  }
}

/** Files that may name the login, including those of deleted repositories; locks the repositories. */
async function findAccessFilesNaming(tx: Tx, login: string): Promise<AccessFileRow[]> {
  const { rows } = await sql<AccessFileRow>`
    select made.project_id, made.repository_id, made.version, made.text, made.has_default_permissions,
      made.version = repository.access_version as is_in_force
    from repository join repository_access_file made on made.repository_id = repository.id
    where position(${login} in made.text) > 0
    order by repository.id, made.version for no key update of repository`.execute(tx)
  return rows
}
