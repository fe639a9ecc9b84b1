import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MARA, TOM } from '../../test/fixtures/people.ts'
import { ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { startSvnWorld } from '../../test/peers/svn.ts'
import { projectConfigFile } from './disk/project-configs.ts'
import { writeApacheConfig } from './disk/start-apache.ts'
import { getSvnFolders, mainConfigFile } from './disk/svn-folders.ts'

const { api, apache, context, dav, svn, svnOrigin, whileAway, work } = await startSvnWorld()
const places = getSvnFolders(context.config)
const file = projectConfigFile(places, 'orchard')
const url = `${svnOrigin}/svn/orchard/core`
const settings = { layout: ['trunk'] }
const { status } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
const written = await readFile(file, 'utf8')

/** As after a restore: Apache runs without the file of the project. */
async function loseFile(): Promise<void> {
  await rm(file)
  process.kill(apache.pid, 'SIGUSR1')
  await expect
    .poll(async () => (await dav('OPTIONS', '/svn/orchard/core/', { as: TOM })).headers['dav'])
    .toBeUndefined()
}

test('a server that starts lets Apache serve the projects whose files are missing', async () => {
  expect(status).toBe(201)
  await whileAway(loseFile)
  expect(await readFile(file, 'utf8')).toBe(written)
  const copy = await svn(TOM, 'checkout', url, join(work, 'after-start'))
  expect(copy.code, copy.error).toBe(0)
})

test('a server that starts replaces a file that was changed', async () => {
  await whileAway(() => writeFile(file, 'Redirect 410 /svn/orchard\n'))
  expect(await readFile(file, 'utf8')).toBe(written)
})

test('the configuration is written with a file for each project that has a folder, without the database', async () => {
  await rm(file)
  expect(await writeApacheConfig(context.config)).toBe(mainConfigFile(places))
  expect(await readFile(file, 'utf8')).toBe(written)
})
