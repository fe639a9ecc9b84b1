import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { peopleByLogin } from '../../projects/groups/people-by-login.ts'
import { oneProject } from '../../projects/project-sql.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { AccessInputs } from './access-file.ts'

/** Increment when the format of generated files changes. */
const ACCESS_FILE_FORMAT = 1

/** The current data for the default block of a project's repositories. */
export async function loadAccessInputs(db: Db | Tx, project_id: ProjectId): Promise<AccessInputs> {
  const { rows } = await sql<AccessInputs>`
    select ${peopleByLogin} as people, project.access from ${oneProject(project_id)}`.execute(db)
  const [inputs] = rows
  if (!inputs) throw new TypeError('A repository is in no project.')
  return inputs
}

/** Version hash of everything that goes into an access file, for the rows of `repository` and `project`. */
export const accessStamp: RawBuilder<string> = sql`md5(concat_ws(' ', ${ACCESS_FILE_FORMAT}::int, repository.id,
  repository.access_version, project.access, ${peopleByLogin}::text))`
