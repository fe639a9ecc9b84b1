import { randomBytes } from 'node:crypto'
import type { Filter } from 'ldapts'
import type { Context } from '../../platform/operation/context.ts'
import type { Directory } from './directory.ts'
import {
  type DirectoryConnection,
  SIGN_IN_LIMITS,
  withDirectoryConnection,
  withDirectory,
} from './directory-connection.ts'
import { type DirectoryPerson, personAttributes, personFilter, readPerson } from './directory-person.ts'

/**
 * The only person that the filter finds, if the password is theirs. The password is tried on a connection of its own, so
 * that it never gives rights to the one that searches.
 */
export async function verifyInDirectory(
  context: Context,
  directory: Directory,
  filter: Filter,
  password: string,
): Promise<DirectoryPerson | undefined> {
  if (password === '') return undefined
  const { name, version, settings } = directory
  return context.directoryMemory.run(`${name} ${version}`, context.clock.now(), async () => {
    const person = await withDirectory(context, directory, SIGN_IN_LIMITS, (connection) =>
      findPerson(context, directory, connection, filter),
    )
    // Unknown people take as many steps as known ones. Their password stays here.
    const dn = person?.dn ?? `cn=${randomBytes(8).toString('hex')},${settings.people_base}`
    const given = person ? password : randomBytes(16).toString('hex')
    const isRight = await withDirectoryConnection(context, directory, SIGN_IN_LIMITS, (connection) =>
      connection.bind(dn, given),
    )
    return isRight ? person : undefined
  })
}

async function findPerson(
  { log }: Context,
  { name, settings }: Directory,
  connection: DirectoryConnection,
  filter: Filter,
): Promise<DirectoryPerson | undefined> {
  const [entry, another] = await connection.search({
    base: settings.people_base,
    filter: personFilter(settings, filter),
    attributes: personAttributes(settings),
    maxEntries: 2,
  })
  if (another) log.warn({ directory: name }, 'a sign-in is refused: several entries of the directory fit')
  return entry && !another ? readPerson(entry, settings) : undefined
}
