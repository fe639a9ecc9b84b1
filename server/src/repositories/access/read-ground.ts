import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { peopleByLogin } from '../../projects/groups/people-by-login.ts'
import { oneProject } from '../../projects/its-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { AccessGround } from './access-file.ts'

/** Moves when the way changes in which files are made. */
const FORMAT = 1

/** What the default block of a project's repositories is made of now. */
export async function readGround(db: Db | Tx, project_id: ProjectId): Promise<AccessGround> {
  const { rows } = await sql<AccessGround>`
    select ${peopleByLogin} as people, project.access from ${oneProject(project_id)}`.execute(db)
  const [ground] = rows
  if (!ground) throw new TypeError('A repository is in no project.')
  return ground
}

/** Names everything that an access file is made of, for the rows of `repository` and `project`. */
export const accessStamp: RawBuilder<string> = sql`md5(concat_ws(' ', ${FORMAT}::int, repository.id,
  repository.access_version, project.access, ${peopleByLogin}::text))`
