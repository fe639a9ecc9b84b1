import { access } from 'node:fs/promises'
import { sql } from 'kysely'
import { hiddenFrom } from '../../accounts/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { FoundProject } from '../../projects/find-project.ts'
import { itsProject } from '../../projects/its-project.ts'
import { keepAccessFile } from '../access/keep-access-file.ts'
import { accessStamp } from '../access/read-ground.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import { findRepository } from '../find-repository.ts'
import type { RepositoryId } from '../repository.ts'
import type { Browsed } from './engine/session.ts'

export interface OpenRepository {
  readonly id: RepositoryId
  readonly browsed: Browsed
  readonly project: FoundProject
}

/** The repository as the viewer may read it, by an access file that is the one of this moment, as for an svn client. */
export async function openRepository(context: Context, viewer: Viewer, id: RepositoryId): Promise<OpenRepository> {
  const { repository, project } = await findRepository(context.db, viewer, id)
  if (viewer.login === undefined) throw hiddenFrom(viewer)
  const named = { id, shortname: project.shortname, name: repository.name }
  const { rows } = await sql<{ stamp: string }>`
    select ${accessStamp} as stamp from repository ${itsProject(sql`repository.project_id`)}
    where repository.id = ${id}`.execute(context.db)
  const folder = repositoryIn(placesOf(context.config), named)
  await access(folder).catch(() => {
    throw hiddenFrom(viewer) // As Apache, which does not find it either.
  })
  await keepAccessFile(context, named, rows[0]?.stamp ?? '')
  return { id, browsed: { folder, login: viewer.login }, project }
}

/** For the Etag of an answer about one revision. */
export function versionOf({ id }: Pick<OpenRepository, 'id'>, what: string, revision: number) {
  return { kind: 'svn', id: `${id} ${what}`, version: revision }
}
