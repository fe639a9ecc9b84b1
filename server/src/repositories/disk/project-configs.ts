import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectConfig } from './apache-config.ts'
import { type SvnFolders, writeFileAtomically } from './svn-folders.ts'

/** Becomes part of a configuration: a folder with another name was not made by the server. */
const SHORTNAME = /^\w[\w.-]*$/

/** The part of Apache's configuration that serves one project. */
export function projectConfigFile({ apache }: SvnFolders, shortname: string): string {
  return join(apache, 'projects', `${shortname}.conf`)
}

/** Writes the files that are missing or different; returns the projects of these files. */
export async function writeProjectConfigs(places: SvnFolders, shortnames: readonly string[]): Promise<string[]> {
  const written: string[] = []
  for (const shortname of shortnames) {
    const file = projectConfigFile(places, shortname)
    const wanted = projectConfig(places.repositories, shortname)
    if ((await readIfPresent(file)) === wanted) continue
    await writeFileAtomically(file, wanted)
    written.push(shortname)
  }
  return written
}

/** The projects that have a folder of repositories, without asking the database. */
export async function listPlacedProjects({ repositories }: SvnFolders): Promise<string[]> {
  const entries = await readdir(repositories, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && SHORTNAME.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}

/** Compares Apache's files with the projects that have repositories. Empty: they agree. */
export async function findProjectConfigFaults(places: SvnFolders, shortnames: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const shortname of shortnames)
    if ((await readIfPresent(projectConfigFile(places, shortname))) === undefined)
      faults.push(`${shortname}.conf is missing: Apache does not serve the repositories of ${shortname}`)
  // The file of a project whose repositories were deleted stays until the project is purged.
  const there: string[] = await readdir(join(places.apache, 'projects')).catch(() => [])
  for (const name of there.toSorted()) {
    if (!name.endsWith('.conf')) continue
    const shortname = name.slice(0, -'.conf'.length)
    const text = await readIfPresent(projectConfigFile(places, shortname))
    if (text !== projectConfig(places.repositories, shortname)) faults.push(`${name} is not what the server writes`)
  }
  return faults
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined)
}
