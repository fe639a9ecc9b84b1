import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { deletedIn, type Places, repositoryIn } from '../disk/places.ts'
import { idIn } from '../disk/set-aside.ts'
import type { RepositoryId } from '../repository.ts'

interface Unknown {
  readonly path: string
  /** The number that a folder says it has; undefined: it is a file. */
  readonly id: string | undefined
}

/** What lies where repositories and dumps do, and belongs to no row. */
export async function findUnknown(context: Context, places: Places): Promise<Unknown[]> {
  // What is on disk first: of what is made meanwhile there is nothing among it.
  const placed = (await Promise.all((await entriesOf(places.repositories)).map(entriesOf))).flat()
  const paths = [...placed, ...(await entriesOf(places.deleted))]
  const known = await knownPaths(context, places)
  const unknown: Unknown[] = []
  for (const path of paths) {
    const id = await idIn(path)
    if (!known.has(path) && (id === undefined || !known.has(id))) unknown.push({ path, id })
  }
  return unknown
}

/** Where everything lies that a row speaks of; and numbers of those whose folder is to be taken from where it was. */
async function knownPaths({ db }: Context, places: Places): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: RepositoryId
    shortname: string
    name: string
    is_deleted: boolean
    dump_file: string | null
  }>`
    select repository.id, ${shortnameOf} as shortname, repository.name, repository.deleted_on is not null as is_deleted,
      repository.dump_file
    from repository ${itsProject(sql`repository.project_id`)}`.execute(db)
  return new Set(
    rows.flatMap(({ is_deleted, dump_file, ...row }) => {
      if (!is_deleted) return [repositoryIn(places, row)]
      return dump_file === null ? [deletedIn(places, row.id), String(row.id)] : [join(places.deleted, dump_file)]
    }),
  )
}

export async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name))
}
