import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import type { ApacheVariables } from './apache-config.ts'
import { findProjectConfigFaults } from './project-configs.ts'
import { mainConfig } from './start-apache.ts'
import { getSvnFolders, mainConfigFile } from './svn-folders.ts'

/** Short names of the projects that have a repository. */
export async function listServedProjects(db: Db): Promise<string[]> {
  const { rows } = await sql<{ shortname: string }>`
    select distinct ${projectShortname} as shortname from repository ${joinProject(sql`repository.project_id`)}
    where repository.deleted_on is null order by shortname`.execute(db)
  return rows.map(({ shortname }) => shortname)
}

/** Compares Apache's files with the database and the variables of this process. Empty: they agree. Read-only. */
export async function findApacheFaults(db: Db, config: ApacheVariables): Promise<string[]> {
  const places = getSvnFolders(config)
  const faults = await findProjectConfigFaults(places, await listServedProjects(db))
  // Without it, Apache is not set up yet, or has a configuration of the operator's own.
  const text = await readFile(mainConfigFile(places), 'utf8').catch(() => undefined)
  if (text !== undefined && withoutUser(text) !== withoutUser(await mainConfig(config)))
    faults.push('httpd.conf is not what `waypost svn apache-config --write` writes with these variables')
  return faults
}

/** The user depends on who writes the file, and root may compare it. */
function withoutUser(text: string): string {
  return text.replace(/^User .*\nGroup .*\n/m, '')
}
