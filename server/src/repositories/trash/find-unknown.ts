import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import { deletedRepositoryFolder, type SvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { readRepositoryId } from '../disk/move-to-trash.ts'
import type { RepositoryId } from '../repository.ts'

interface UnknownPath {
  readonly path: string
  /** The id stored in a folder; undefined for a file. */
  readonly id: string | undefined
}

/** Files and folders among repositories and dumps that belong to no row. */
export async function findUnknownPaths(context: Context, places: SvnFolders): Promise<UnknownPath[]> {
  // Read the disk before the database: a repository created meanwhile is then not reported.
  const placed = (await Promise.all((await listEntries(places.repositories)).map(listEntries))).flat()
  const paths = [...placed, ...(await listEntries(places.deleted))]
  const known = await knownPaths(context, places)
  const unknown: UnknownPath[] = []
  for (const path of paths) {
    const id = await readRepositoryId(path)
    if (!known.has(path) && (id === undefined || !known.has(id))) unknown.push({ path, id })
  }
  return unknown
}

/** The paths of all rows, and the ids of deleted repositories whose folder is still at its old path. */
async function knownPaths({ db }: Context, places: SvnFolders): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: RepositoryId
    shortname: string
    name: string
    is_deleted: boolean
    dump_file: string | null
  }>`
    select repository.id, ${projectShortname} as shortname, repository.name, repository.deleted_on is not null as is_deleted,
      repository.dump_file
    from repository ${joinProject(sql`repository.project_id`)}`.execute(db)
  return new Set(
    rows.flatMap(({ is_deleted, dump_file, ...row }) => {
      if (!is_deleted) return [repositoryFolder(places, row)]
      return dump_file === null
        ? [deletedRepositoryFolder(places, row.id), String(row.id)]
        : [join(places.deleted, dump_file)]
    }),
  )
}

export async function listEntries(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name))
}
