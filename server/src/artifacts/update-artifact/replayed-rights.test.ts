import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, context } = await startWorld()
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const ADMINS = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const LEDGER = {
  label: 'Ledger',
  item_name: 'ledger',
  permissions: { full: ['@anonymous'] },
  elements: [field('summary', 'string'), field('amount', 'string'), field('links', 'art_link')],
  semantics: { title: 'summary' },
}

let ledger: MadeTracker
beforeEach(async () => {
  ledger = await makeTestTracker(api, LEDGER)
})

interface Definition {
  permissions: object
  elements: { name: string; permissions?: object }[]
}
async function redefine(change: (definition: Definition) => void): Promise<void> {
  const { json } = await api.get(`/trackers/${ledger.id}/definition`, { as: MARA })
  change(json)
  expect((await api.put(`/trackers/${ledger.id}/definition`, { as: MARA, body: json })).status).toBe(200)
}
const hideTracker = () =>
  redefine((definition) => {
    definition.permissions = { full: ['@admins'] }
  })
const hideAmount = () =>
  redefine(({ elements }) => {
    for (const each of elements) if (each.name === 'amount') each.permissions = ADMINS
  })

const headers = { 'idempotency-key': 'once' }
const values_by_field = { summary: 'Crates', amount: 'SEALED-4711' }
const create = () => api.post('/artifacts', { as: TOM, headers, body: { tracker: { id: ledger.id }, values_by_field } })
async function writes() {
  const id = await makeTestArtifact(api, ledger, { summary: 'Older' })
  return {
    create,
    update: () => api.put(`/artifacts/${id}?values_format=by_field`, { as: TOM, headers, body: { values_by_field } }),
    copy: () => api.post(`/artifacts/${id}/copy`, { as: TOM, headers, body: { values_by_field } }),
  }
}

test.each(['create', 'update', 'copy'] as const)(
  'R06 the response to %s is replayed as the caller may read it now',
  async (which) => {
    const write = (await writes())[which]
    const first = await write()
    const again = await write()
    expect(first.text).toContain('SEALED-4711')
    expect([again.text, again.headers.etag]).toEqual([first.text, first.headers.etag])

    await hideAmount()
    const cut = await write()
    expect([cut.status, cut.headers['idempotency-replayed']]).toEqual([first.status, 'true'])
    expect(cut.text).not.toContain('SEALED-4711')
    expect(cut.json.id).toBe(first.json.id)

    await hideTracker()
    const gone = await write()
    expect(gone).toMatchObject(refused(404, 'not_found'))
    expect(gone.headers['idempotency-replayed']).toBe('true') // It was not written a second time.
  },
)

test('R06 a replay shows the version that was written, whatever came after it', async () => {
  const first = await create()
  await api.put(`/artifacts/${first.json.id}`, { as: MARA, body: { values_by_field: { summary: 'Changed' } } })

  const again = await create()
  expect(again.json.values_by_field).toEqual(first.json.values_by_field)
  expect(again.json.title).toBe('Crates')
  const versions = await api.get(`/artifacts/${first.json.id}/changesets`, { as: MARA })
  expect(versions.json).toHaveLength(2)
})

test('R07 a response about any other object is not replayed to a caller who may no longer read it', async () => {
  const body = { shortname: 'meadow', label: 'Meadow', is_public: false, template_id: 100 }
  const make = () => api.post('/projects', { as: OLGA, headers, body })
  const first = await make()
  expect([first.status, (await make()).text]).toEqual([201, first.text])

  const { id } = first.json
  await sql`delete from project_member where project_id = ${id}`.execute(context.db)
  await sql`update project set rights_epoch = rights_epoch + 1 where id = ${id}`.execute(context.db)
  const again = await make()
  expect(again).toMatchObject(refused(404, 'not_found'))
  expect(again.text).not.toContain('Meadow')
})

test('R08 a replay needs a credential that may write, as the first request did', async () => {
  const first = await create()
  expect(first.status).toBe(201)
  const { json } = await api.post('/access_keys', {
    as: TOM,
    body: { description: 'reads', scopes: ['read:rest'] },
  })
  const again = await api.post('/artifacts', {
    headers: { ...headers, 'x-auth-accesskey': json.identifier },
    body: { tracker: { id: ledger.id }, values_by_field },
  })
  expect(again).toMatchObject(refused(403, 'credentials_scope'))
  expect(again.text).not.toContain('SEALED-4711')
})
