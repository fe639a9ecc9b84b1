import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { ProjectContents } from '../../projects/trash/project-contents.ts'
import type { ProjectPurger } from '../../projects/trash/purge-projects.ts'
import { prepareSvnFolders } from '../disk/make-repository.ts'
import { removeFolder } from '../disk/move-to-trash.ts'
import { projectConfigFile } from '../disk/project-configs.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import type { RepositoryId } from '../repository.ts'
import { removeRows, removeContent } from './purge-repositories.ts'
import { findTrashedRepository } from './trashed-repository.ts'

/**
 * Purges the repositories of a project, its folder and its part of the configuration of Apache. Files go before rows,
 * so that an interrupted purge finds the rest of them.
 */
export const purgeRepositoriesOfProject: ProjectPurger = async (context, { id, shortname }) => {
  const { db, config, clock } = context
  const places = config.WAYPOST_SVN_ROOT === null ? undefined : getSvnFolders(config)
  if (places) await prepareSvnFolders(places)
  await sql`
    update repository set deleted_on = coalesce(deleted_on, ${clock.now()}), restoring_on = null, restoring_name = null
    where project_id = ${id} and (deleted_on is null or restoring_on is not null)`.execute(db)
  const { rows } = await sql<{ id: RepositoryId }>`
    select id from repository where project_id = ${id} order by id`.execute(db)
  for (const repository of rows) {
    const trashed = await findTrashedRepository(db, repository.id)
    if (!trashed) continue
    if (places) await removeContent(places, trashed)
    await removeRows(db, trashed)
  }
  if (places) {
    await removeFolder(places, join(places.repositories, shortname))
    await rm(projectConfigFile(places, shortname), { force: true })
  }
  return 'done'
}

export const countRepositories: ProjectContents = async (db, project) => {
  const { rows } = await sql<{ repositories: number }>`
    select count(*) as repositories from repository
    where repository.project_id = ${project} and repository.deleted_on is null`.execute(db)
  return { ...rows[0] }
}
