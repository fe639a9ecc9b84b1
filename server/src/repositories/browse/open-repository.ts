import { access } from 'node:fs/promises'
import { sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { FoundProject } from '../../projects/find-project.ts'
import { joinProject } from '../../projects/project-sql.ts'
import { refreshAccessFile } from '../access/refresh-access-file.ts'
import { accessStamp } from '../access/load-access-inputs.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { findRepository } from '../find-repository.ts'
import type { RepositoryId } from '../repository.ts'
import type { Browsed } from './engine/session.ts'

export interface OpenRepository {
  readonly id: RepositoryId
  readonly browsed: Browsed
  readonly project: FoundProject
}

/** Opens the repository with the viewer's rights, after refreshing the access file, as for an svn client. */
export async function openRepository(context: Context, viewer: Viewer, id: RepositoryId): Promise<OpenRepository> {
  const { repository, project } = await findRepository(context.db, viewer, id)
  if (viewer.login === undefined) throw hiddenError(viewer)
  const named = { id, shortname: project.shortname, name: repository.name }
  const { rows } = await sql<{ stamp: string }>`
    select ${accessStamp} as stamp from repository ${joinProject(sql`repository.project_id`)}
    where repository.id = ${id}`.execute(context.db)
  const folder = repositoryFolder(getSvnFolders(context.config), named)
  await access(folder).catch(() => {
    throw hiddenError(viewer) // Like Apache, which does not find it either.
  })
  await refreshAccessFile(context, named, rows[0]?.stamp ?? '')
  return { id, browsed: { folder, login: viewer.login }, project }
}

/** Input for the ETag of a response about one revision. */
export function revisionVersion({ id }: Pick<OpenRepository, 'id'>, what: string, revision: number) {
  return { kind: 'svn', id: `${id} ${what}`, version: revision }
}
