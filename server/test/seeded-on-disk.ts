import type { Config } from '../src/platform/operation/config.ts'
import { makeOwnFolder, makePlaces, placesOf, repositoryIn } from '../src/repositories/disk/places.ts'
import { runTool } from '../src/repositories/disk/run-tool.ts'
import { loadRevisions } from './browsed-repository.ts'
import { VAULT_CANARY } from './canaries.ts'
import { LONG_AGO } from './insert-artifact.ts'
import { dumpOf } from './svn-dump.ts'

const SEEDED = [
  { shortname: 'orchard', name: 'seeds', says: 'Seeds' },
  { shortname: 'vault', name: VAULT_CANARY, says: VAULT_CANARY },
  { shortname: 'marsh', name: 'peat', says: 'Peat' },
]

/** Puts the repositories that the seed knows where the server looks for them, each with one revision. */
export async function putSeededOnDisk(config: Pick<Config, 'WAYPOST_SVN_ROOT'>): Promise<void> {
  const places = placesOf(config)
  await makePlaces(places)
  for (const { says, ...named } of SEEDED) {
    const folder = repositoryIn(places, named)
    await makeOwnFolder(`${places.repositories}/${named.shortname}`)
    await runTool('svnadmin', ['create', folder])
    const nodes = [{ path: 'readme', action: 'add' as const, content: `${says}\n` }]
    await loadRevisions(folder, dumpOf([{ author: 'mara', message: says, date: LONG_AGO, nodes }]))
  }
}
