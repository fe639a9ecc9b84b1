import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { failpoint } from '#failpoint'
import type { RepositoryId } from '../repository.ts'
import type { SvnFolders } from './svn-folders.ts'
import { runTool } from './run-tool.ts'
import { streamTool } from './stream-tool.ts'
import { readYoungestRevision } from './read-youngest-revision.ts'

/** All revisions of a repository in one file, while its folder is removed. */
export interface Dump {
  /** File name below `deleted`. */
  readonly file: string
  readonly revision: number
  readonly sha256: string
}

/** Writes a dump and verifies it by loading it once before the folder may be removed. */
export async function dumpRepository(places: SvnFolders, id: RepositoryId, folder: string): Promise<Dump> {
  const file = `${id}-${randomUUID()}.dump.gz`
  const [making, trial] = [join(places.making, file), join(places.making, randomUUID())]
  try {
    await streamTool('svnadmin', ['dump', '--quiet', '--deltas', folder], {
      output: [
        createGzip({ level: constants.Z_BEST_SPEED }),
        createWriteStream(making, { flags: 'wx', mode: 0o600, flush: true }),
      ],
    })
    const sha256 = await load(making, trial, ['--no-flush-to-disk'])
    const [wanted, loaded] = [await identityOf(folder), await identityOf(trial)]
    if (wanted !== loaded) throw new Error(`The dump of ${wanted} was loaded as ${loaded}.`)
    await rename(making, join(places.deleted, file))
    await flushFolder(places.deleted)
    failpoint('svn.dumped')
    return { file, revision: await readYoungestRevision(folder), sha256 }
  } finally {
    for (const left of [making, trial]) await rm(left, { recursive: true, force: true })
  }
}

/** Loads a dump into a new folder outside the served tree, with the same UUID and revisions. */
export async function loadRepository(places: SvnFolders, dump: Dump): Promise<string> {
  const folder = join(places.making, randomUUID())
  try {
    const sha256 = await load(join(places.deleted, dump.file), folder)
    if (sha256 !== dump.sha256) throw new Error(`${dump.file} is not what it was when it was written.`)
    const revision = await readYoungestRevision(folder)
    if (revision !== dump.revision) throw new Error(`${dump.file} ends with revision ${revision}.`)
    failpoint('svn.loaded')
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Skips property validation: the content came from our repository and is restored unchanged. */
async function load(file: string, folder: string, flags: readonly string[] = []): Promise<string> {
  await runTool('svnadmin', ['create', folder])
  const hash = createHash('sha256')
  const digesting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await streamTool('svnadmin', ['load', '--quiet', '--force-uuid', '--bypass-prop-validation', ...flags, folder], {
    input: [createReadStream(file), digesting, createGunzip()],
  })
  return hash.digest('hex')
}

async function identityOf(folder: string): Promise<string> {
  const [uuid] = (await readFile(join(folder, 'db', 'uuid'), 'utf8')).split('\n')
  return `revision ${await readYoungestRevision(folder)} of ${uuid}`
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
