import { beforeEach, describe, expect, test } from 'vitest'
import { beginTestImport, finishTestImport, importLine, importLines } from '../../../test/fixtures/imports.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()

const bug = (key: string, id?: number) =>
  importLine(
    { tracker: BUGS, key, ...(id !== undefined && { id }) },
    { values: [{ field_id: BUG.summary, value: key }] },
  )
const begin = (as: TestPerson | undefined, project: number = ORCHARD) =>
  api.post(`/projects/${project}/imports`, { ...(as && { as }), body: { source: 'old.example' } })
const allowImports = () => api.patch('/settings', { as: ADA, body: { may_import: true } })

describe('the right to import', () => {
  test('Z50 is with site administrators, and with project administrators if the platform allows it', async () => {
    const statuses = async (people: readonly (TestPerson | undefined)[]) =>
      Promise.all(people.map(async (as) => (await begin(as)).status))
    expect(await statuses([undefined, OLGA, TOM, UMA, MARA])).toEqual([401, 403, 403, 403, 403])
    expect((await begin(MARA)).json.error).toMatchObject({
      reason: 'permission_denied',
      details: { cause: 'import_not_allowed', who_may: ['site_admin'] },
    })
    expect((await begin(TOM, VAULT)).status).toBe(404)
    await allowImports()
    expect(await statuses([undefined, OLGA, TOM, UMA])).toEqual([401, 403, 403, 403])
    const { status, json, headers } = await begin(MARA)
    expect(status).toBe(201)
    expect(json).toMatchObject({
      project: { id: ORCHARD },
      source: 'old.example',
      state: 'running',
      artifacts: 0,
      started_by: { id: MARA.id },
      finished_on: null,
    })
    expect(headers.location).toMatch(new RegExp(`/imports/${json.id}$`))
  })

  test('is checked for items and for the end, too', async () => {
    const id = await beginTestImport(api)
    for (const [as, status] of [
      [OLGA, 404],
      [GUS, 404],
      [TOM, 403],
      [UMA, 403],
    ] as const) {
      expect((await importLines(api, id, [bug('A-1')], { as })).status).toBe(status)
      expect((await finishTestImport(api, id, as)).status).toBe(status)
      expect((await api.get(`/imports/${id}`, { as })).status).toBe(status)
    }
    expect((await importLines(api, id, [bug('A-1')], { as: MARA })).status).toBe(403)
    expect((await finishTestImport(api, id, MARA)).status).toBe(403)
    expect((await api.get(`/imports/${id}`, { as: MARA })).status).toBe(200)
    await allowImports()
    expect((await importLines(api, id, [bug('A-1')], { as: MARA })).lines[0]).toMatchObject({ status: 201 })
    expect((await finishTestImport(api, id, MARA)).json).toMatchObject({
      state: 'finished',
      finished_by: { id: MARA.id },
    })
    expect((await api.get(`/imports/${id}`, { as: TOM })).status).toBe(403)
    expect((await api.get('/imports/999999', { as: ADA })).status).toBe(404)
  })

  test('is withdrawn between two batches', async () => {
    await allowImports()
    const id = await beginTestImport(api, MARA)
    await api.patch('/settings', { as: ADA, body: { may_import: false } })
    expect((await importLines(api, id, [bug('A-1')], { as: MARA })).status).toBe(403)
  })
})

describe('a project with a running import', () => {
  let id = 0
  beforeEach(async () => {
    id = await beginTestImport(api)
    await importLines(api, id, [bug('A-1', 50_000)])
  })

  test('Z51 is hidden from everybody but its administrators and site administrators', async () => {
    const paths = [
      `/projects/${ORCHARD}`,
      `/trackers/${BUGS}`,
      `/trackers/${BUGS}/artifacts`,
      '/artifacts/50000',
      '/artifacts/@A-1',
    ]
    for (const path of paths) {
      for (const as of [OLGA, GUS]) expect([path, (await api.get(path, { as })).status]).toEqual([path, 404])
      expect((await api.get(path)).status).toBe(401)
      for (const as of [MARA, ADA]) expect([path, (await api.get(path, { as })).status]).toEqual([path, 200])
    }
    const listed = async (as: TestPerson) =>
      (await api.get('/projects?limit=50', { as })).json.map((each: { id: number }) => each.id)
    expect(await listed(OLGA)).not.toContain(ORCHARD)
    expect(JSON.stringify((await api.post('/search', { as: OLGA, body: { keywords: 'A-1' } })).json)).not.toContain(
      '50000',
    )
    const { json: events } = await api.get('/events', { as: OLGA })
    expect(JSON.stringify(events)).not.toContain('artifacts/50000')
  })

  test('is visible again when the import is finished, which happens once', async () => {
    const { status, json } = await finishTestImport(api, id)
    expect([status, json.state, json.artifacts]).toEqual([200, 'finished', 1])
    expect((await api.get('/artifacts/50000', { as: OLGA })).json.submitted_by).toBe(TOM.id)
    expect((await api.get(`/projects/${ORCHARD}`, { as: OLGA })).json.status).toBe('active')
    const again = await finishTestImport(api, id)
    expect([again.status, again.json.finished_on]).toEqual([200, json.finished_on])
    expect((await importLines(api, id, [bug('A-2')])).text).toContain('import_finished')
    const { json: events } = await api.get('/events?types=project.imported', { as: OLGA })
    expect(events.events).toMatchObject([{ type: 'project.imported', object: `projects/${ORCHARD}` }])
  })

  test('takes no second import, but another one after it', async () => {
    const second = await begin(ADA)
    expect([second.status, second.json.error.reason, second.json.error.details.id]).toEqual([409, 'import_running', id])
    await finishTestImport(api, id)
    expect((await begin(ADA)).status).toBe(201)
    const { json, headers } = await api.get(`/projects/${ORCHARD}/imports`, { as: MARA })
    expect(json.map((each: { state: string }) => each.state)).toEqual(['running', 'finished'])
    expect(headers['x-pagination-size']).toBe('2')
    expect((await api.get(`/projects/${ORCHARD}/imports`, { as: OLGA })).status).toBe(404)
  })

  test('takes changes of its trackers by administrators', async () => {
    const { status } = await api.put('/artifacts/50000', { as: MARA, body: { comment: { body: 'checked' } } })
    expect(status).toBe(200)
  })
})

test('an import begins in active projects only', async () => {
  expect((await begin(ADA, MARSH)).json.error.details.cause).toBe('project_not_active')
  expect((await begin(ADA, 100)).json.error.reason).toBe('project_protected')
  expect((await begin(VICTOR, ORCHARD)).status).toBe(403)
  expect((await api.post(`/projects/${ORCHARD}/imports`, { as: ADA, body: { source: ' ' } })).status).toBe(400)
})

test('begin and end are in the audit log', async () => {
  const id = await beginTestImport(api)
  await finishTestImport(api, id)
  const object = `imports/${id}`
  expect(await audited(context, 'import.begin')).toMatchObject([{ actor_id: ADA.id, object, project_id: ORCHARD }])
  expect(await audited(context, 'import.finish')).toMatchObject([{ actor_id: ADA.id, object, project_id: ORCHARD }])
})

describe('a source key', () => {
  test('finds its artifact in an address and in the search, with the case of its letters', async () => {
    const id = await beginTestImport(api)
    await importLines(api, id, [bug('ABC-123', 50_000)])
    await finishTestImport(api, id)
    const { status, json } = await api.get('/artifacts/@ABC-123', { as: OLGA })
    expect([status, json.id, json.uri]).toEqual([200, 50_000, 'artifacts/50000'])
    expect((await api.get('/artifacts/@abc-123', { as: OLGA })).status).toBe(404)
    expect((await api.get('/artifacts/@ABC-124', { as: OLGA })).status).toBe(404)
    expect((await api.get('/artifacts/@', { as: OLGA })).status).toBe(404)
    const { json: found } = await api.post('/search', { as: OLGA, body: { keywords: 'ABC-123' } })
    expect(JSON.stringify(found)).toContain('artifacts/50000')
  })

  test('of several visible artifacts is 409 with all of them; hidden ones do not count', async () => {
    const first = await beginTestImport(api)
    await importLines(api, first, [bug('ABC-1', 50_000)])
    await finishTestImport(api, first)
    const second = await beginTestImport(api)
    await importLines(api, second, [bug('ABC-1', 50_001)])
    await finishTestImport(api, second)
    const { status, json } = await api.get('/artifacts/@ABC-1', { as: OLGA })
    expect([status, json.error.reason]).toEqual([409, 'key_ambiguous'])
    expect(json.error.details.allowed.map((each: { id: number }) => each.id)).toEqual([50_000, 50_001])
    await api.delete('/artifacts/50001', { as: ADA })
    expect((await api.get('/artifacts/@ABC-1', { as: OLGA })).json.id).toBe(50_000)
  })
})
