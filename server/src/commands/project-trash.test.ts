import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ADA, MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { OPEN_BUG, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../test/fixtures/seed-artifacts.ts'
import { callCommand, commandEnvironment } from '../../test/harness/run-command.ts'
import { startWorld } from '../../test/harness/start-world.ts'

const { api, context } = await startWorld()
const environment = commandEnvironment(context.config.WAYPOST_DATABASE_URL)
const project = (...words: string[]) => callCommand(environment, ['project', ...words])
const said = (out: string) => ({ code: 0, out, err: '' })
const failure = (err: unknown) => ({ code: 1, out: '', err })

async function statuses(): Promise<number[]> {
  const paths = [`/projects/${ORCHARD}`, '/projects/@orchard', `/artifacts/${OPEN_BUG}`]
  const found: number[] = []
  for (const path of paths) for (const as of [MARA, TOM, OLGA, ADA]) found.push((await api.get(path, { as })).status)
  return [...new Set(found)]
}

async function auditRows(action: string) {
  const { rows } = await sql`
    select object, actor_id, credential_kind, outcome from audit where action = ${action} order by id`.execute(
    context.db,
  )
  return rows
}

test('delete hides a project at once in a running server, and restore brings everything back', async () => {
  await seedTestArtifacts(context.db)
  const before = await api.get(`/artifacts/${OPEN_BUG}`, { as: MARA })
  expect(await statuses()).toEqual([200])

  expect(await project('delete', 'Orchard')).toEqual(said('Project Orchard is in the trash.\n'))
  expect(await statuses()).toEqual([404])
  const { json: trash } = await api.get('/trash?type=project', { as: ADA })
  expect(trash[0]).toMatchObject({ id: ORCHARD, deleted_by: null, restore_uri: `projects/${ORCHARD}/restoration` })

  expect(await project('restore', 'orchard')).toEqual(said('Project orchard is restored.\n'))
  expect(await statuses()).toEqual([200])
  expect((await api.get(`/artifacts/${OPEN_BUG}`, { as: MARA })).text).toBe(before.text)
  const row = { object: `projects/${ORCHARD}`, actor_id: null, credential_kind: 'command_line', outcome: 'done' }
  expect(await auditRows('project.delete')).toEqual([row])
  expect(await auditRows('project.restore')).toEqual([row])
})

test('delete and restore take the id, too, and keep the status that the project had', async () => {
  await api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { status: 'archived' } })
  expect(await project('delete', String(ORCHARD))).toMatchObject({ code: 0 })
  expect(await project('restore', String(ORCHARD))).toMatchObject({ code: 0 })
  expect((await api.get(`/projects/${ORCHARD}`, { as: MARA })).json.status).toBe('archived')
})

test('unknown, deleted, present and reserved projects are refused with a reason', async () => {
  expect(await project('delete', 'nowhere')).toEqual(failure('There is no project nowhere.\n'))
  expect(await project('restore', 'nowhere')).toEqual(failure('There is no project nowhere.\n'))
  expect(await project('restore', 'orchard')).toEqual(failure(expect.stringMatching(/\S/)))
  expect(await project('delete', '100')).toEqual(failure(expect.stringMatching(/\S/)))
  await project('delete', 'orchard')
  expect(await project('delete', 'orchard')).toEqual(failure(expect.stringMatching(/\S/)))
  expect(await auditRows('project.restore')).toEqual([])
})
