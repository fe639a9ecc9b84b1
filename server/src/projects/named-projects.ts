import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { NamedObjects } from '../platform/http/resolve-name.ts'
import { isMemberOf, mayEnter } from './visibility.ts'

/** `/projects/@orchard`. Members of a suspended project get an error that says so, as by its id. */
export const namedProjects: NamedObjects = {
  collection: 'projects',
  async findId({ db }, viewer, name) {
    const rows = aliases('project')
    const { rows: found } = await sql<{ id: number }>`
      select project.id from project where folded(project.shortname) = folded(${name})
        and (${mayEnter(viewer, rows)} or project.status = 'suspended' and ${isMemberOf(viewer, rows)})`.execute(db)
    return found[0]?.id
  },
}
