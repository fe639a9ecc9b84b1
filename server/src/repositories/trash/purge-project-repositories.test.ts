import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ADA, MARA, OLGA, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import { projectConfigFile } from '../disk/project-configs.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'

const { api, context, clock, svn, put, svnOrigin, work } = await startSvnWorld()
const places = getSvnFolders(context.config)
const DAY = 86_400_000

async function create(name: string, project: number = ORCHARD, shortname = 'orchard') {
  const as = project === ORCHARD ? MARA : VICTOR
  const { json } = await api.post('/svn', { as, body: { project_id: project, name, settings: { layout: ['trunk'] } } })
  const url = `${svnOrigin}/svn/${shortname}/${name}`
  await put(as, `${url}/trunk/seed`, 'apple', 'A seed.')
  return { id: Number(json.id), url }
}
const checkout = (as: typeof TOM, url: string, name: string) => svn(as, 'checkout', url, join(work, name))

test('a deleted project refuses every checkout and commit, and serves them again after its restoration', async () => {
  const { id, url } = await create('core')
  expect((await checkout(TOM, url, 'before')).code).toBe(0)
  expect((await api.delete(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)
  for (const person of [OLGA, TOM, MARA, ADA]) {
    expect((await checkout(person, url, `refused-${person.login}`)).code).toBe(1)
    expect((await svn(person, 'log', url)).error).toEqual(
      (await svn(person, 'log', `${svnOrigin}/svn/orchard/never`)).error.replaceAll('never', 'core'),
    )
    expect((await svn(person, 'mkdir', '-m', 'Late.', `${url}/late`)).code).toBe(1)
    expect((await api.get(`/svn/${id}/tree`, { as: person })).status).toBe(404)
  }
  expect((await api.post(`/projects/${ORCHARD}/restoration`, { as: MARA })).status).toBe(200)
  expect((await checkout(TOM, url, 'after')).code).toBe(0)
  expect((await svn(TOM, 'cat', `${url}/trunk/seed`)).out).toBe('apple')
  expect((await svn(TOM, 'mkdir', '-m', 'In time.', `${url}/in-time`)).code).toBe(0)
})

test('a purge removes repositories, dumps, the folder and the Apache file of the project only', async () => {
  const [kept, gone] = [await create('hoard', VAULT, 'vault'), await create('gone')]
  const dumped = await create('dumped')
  await api.delete(`/svn/${dumped.id}`, { as: MARA })
  await drainWorker(context)
  const dumps = await readdir(places.deleted)
  expect(dumps.some((name) => name.includes(String(dumped.id)))).toBe(true)
  await access(projectConfigFile(places, 'orchard'))
  await api.delete(`/projects/${ORCHARD}`, { as: MARA })
  clock.advance(30 * DAY)
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'project_purge', payload: {} }, null))
  await drainWorker(context)

  expect(await readdir(places.repositories)).not.toContain('orchard')
  expect((await readdir(places.deleted)).filter((name) => name.includes(String(dumped.id)))).toEqual([])
  expect(await readdir(places.making)).toEqual([])
  expect(await readdir(join(places.apache, 'projects'))).not.toContain('orchard.conf')
  const { rows } = await sql`select id from repository where id in (${gone.id}, ${dumped.id})`.execute(context.db)
  expect(rows).toEqual([])
  expect((await svn(VICTOR, 'cat', `${kept.url}/trunk/seed`)).out).toBe('apple')
  expect((await svn(TOM, 'log', gone.url)).code).toBe(1)
  // Apache takes the rest of its configuration.
  const next = await create('next', VAULT, 'vault')
  expect((await svn(VICTOR, 'cat', `${next.url}/trunk/seed`)).out).toBe('apple')
})
