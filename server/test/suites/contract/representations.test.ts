import { describe, expect, test } from 'vitest'
import { uploadInChunks } from '../../fixtures/attachments.ts'
import { MARA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { startWorld } from '../../harness/start-world.ts'
import { makeValves } from './valves.ts'

const { api, context } = await startWorld({ seedOnce: true })
const valves = await makeValves(api, context.db)
const { tracker } = valves
const XML = { 'content-type': 'application/xml', accept: 'application/xml' }

describe('resources', () => {
  test('rule-01 answers are JSON by default, and XML when asked for', async () => {
    const id = await valves.make('Either')
    const plain = await api.get(`/artifacts/${id}`)
    const xml = await api.get(`/artifacts/${id}`, { headers: { accept: 'application/xml' } })
    expect([plain.headers['content-type'], plain.json.id]).toEqual([expect.stringContaining('application/json'), id])
    expect([xml.headers['content-type'], xml.text]).toEqual([
      expect.stringContaining('application/xml'),
      expect.stringContaining(`<id>${id}</id>`),
    ])
  })

  test('rule-03 clients walk from GET /projects to artifacts without knowing an id', async () => {
    const id = await valves.make('Found by walking')
    const { json: projects } = await api.get('/projects')
    const seen: number[] = []
    for (const { resources } of projects)
      for (const { uri } of resources.filter(({ type }: { type: string }) => type === 'trackers'))
        for (const found of (await api.get(`/${uri}`)).json) {
          const { status, json } = await api.get(`/${found.uri}/artifacts`)
          // Some trackers show anonymous people their structure only.
          if (status === 200) seen.push(...json.map((artifact: { id: number }) => artifact.id))
        }
    expect(seen).toContain(id)
  })

  test('rule-04 a project has id, uri, label, shortname and resources with type and uri', async () => {
    const { json } = await api.get('/projects')
    for (const project of json) {
      expect(project).toMatchObject({
        id: expect.any(Number),
        uri: `projects/${project.id}`,
        label: expect.any(String),
        shortname: expect.any(String),
      })
      expect(project.resources.length).toBeGreaterThan(0)
      for (const each of project.resources)
        expect(each).toEqual({ type: expect.any(String), uri: expect.stringMatching(/^projects\/\d+\//) })
    }
  })

  test('rule-05 a token has user_id as text, token and uri', async () => {
    const { json } = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
    expect(json).toEqual({ user_id: String(TOM.id), token: expect.any(String), uri: expect.any(String) })
    const headers = { 'x-auth-token': json.token, 'x-auth-userid': json.user_id }
    expect((await api.get('/users/self', { headers, reader: TOM })).json.username).toBe('tom')
  })

  test('rule-06 an entry of values has field_id and one of value, bind_value_ids and links', async () => {
    const other = await valves.make('Other')
    const body = {
      tracker: { id: tracker.id },
      values: [
        { field_id: tracker.field('summary'), value: 'Whole payload' },
        {
          field_id: tracker.field('fruits'),
          bind_value_ids: [tracker.value('fruits', 'Apple'), tracker.value('fruits', 'Plum')],
        },
        { field_id: tracker.field('links'), links: [{ id: other, type: '_is_child' }] },
      ],
    }
    const { status, json } = await api.post('/artifacts', { as: TOM, body })
    const read = (name: string) =>
      json.values.find((each: { field_id: number }) => each.field_id === tracker.field(name))
    expect([status, read('summary').value]).toEqual([201, 'Whole payload'])
    expect(read('fruits').values.map(({ label }: { label: string }) => label)).toEqual(['Apple', 'Plum'])
    expect(read('links').links).toMatchObject([{ id: other, type: '_is_child' }])
  })

  test('rule-07 links have the type _is_child or one of the platform, such as custom', async () => {
    const [child, cousin] = [await valves.make('Child'), await valves.make('Cousin')]
    const links = [
      { id: child, type: '_is_child' },
      { id: cousin, type: 'custom' },
    ]
    const { status, json } = await api.post('/artifacts', { as: TOM, body: valves.payload('Parent', links) })
    const { links: read } = json.values.find((each: { type: string }) => each.type === 'art_link')
    expect([status, read]).toEqual([201, links.map((link) => expect.objectContaining(link))])
    const unknown = valves.payload('Parent', [{ id: child, type: 'no_such_type' }])
    expect(await api.post('/artifacts', { as: TOM, body: unknown })).toMatchObject({ status: 400 })
  })

  test('rule-08 criteria are keyed by the short name of a field, with operator and value', async () => {
    const open = await valves.make('By criteria')
    const ask = async (label: string) => {
      const value = String(tracker.value('status', label))
      const body = { summary: { operator: 'contains', value: 'By criteria' }, status: { operator: 'contains', value } }
      const { json } = await api.get(`/trackers/${tracker.id}/artifacts`, { as: TOM, body })
      return json.map(({ id }: { id: number }) => id)
    }
    expect([await ask('Open'), await ask('Closed')]).toEqual([[open], []])
  })

  test('rule-09 and rule-17 a file is read in chunks that are decoded one by one', async () => {
    const content = Buffer.alloc(3_000_001, 'Drip drop. ')
    const file = await uploadInChunks(api, TOM, { content })
    const body = { tracker: { id: tracker.id }, values: [{ field_id: tracker.field('attachment'), value: [file] }] }
    expect(await api.post('/artifacts', { as: TOM, body })).toMatchObject({ status: 201 })
    const chunks: Buffer[] = []
    for (let offset = 0; ; ) {
      const { json, headers } = await api.get(`/artifact_files/${file}?offset=${offset}`, { as: TOM })
      chunks.push(Buffer.from(json.data, 'base64'))
      const [limit, size] = [Number(headers['x-pagination-limit']), Number(headers['x-pagination-size'])]
      if (offset + limit >= size) break
      offset += limit
    }
    expect(chunks.length).toBeGreaterThan(1)
    expect(Buffer.concat(chunks).equals(content)).toBe(true)
  })

  test('rule-11 Content-type: application/json is accepted on GET', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await api.get('/projects', { headers })).status).toBe(200)
    expect((await api.get(`/trackers/${tracker.id}`, { headers, as: TOM })).status).toBe(200)
  })

  test('rule-12 criteria are the JSON body of a GET, and find what the parameter query finds', async () => {
    await valves.make('Found twice')
    const criteria = { summary: { operator: 'contains', value: 'Found twice' } }
    const path = `/trackers/${tracker.id}/artifacts`
    const { json: byBody } = await api.get(path, { as: TOM, body: criteria })
    const { json } = await api.get(`${path}?query=${encodeURIComponent(JSON.stringify(criteria))}`, { as: TOM })
    expect([byBody.length, json]).toEqual([1, byBody])
  })
})

describe('XML', () => {
  const xmlOf = (summary: string) =>
    `<request><tracker><id>${tracker.id}</id></tracker><values><item><field_id>${tracker.field('summary')}</field_id>` +
    `<value>${summary}</value></item><item><field_id>${tracker.field('fruits')}</field_id><bind_value_ids>` +
    `<item>${tracker.value('fruits', 'Apple')}</item><item>${tracker.value('fruits', 'Plum')}</item>` +
    '</bind_value_ids></item></values></request>'

  test('rule-22 Content-type and Accept choose XML independently', async () => {
    const sent = { 'content-type': 'application/xml' }
    const [inXml, fromXml] = [
      await api.post('/artifacts', { as: TOM, headers: { accept: 'application/xml' }, body: valves.payload('As XML') }),
      await api.post('/artifacts', { as: TOM, headers: sent, body: xmlOf('From XML') }),
    ]
    expect([inXml.status, inXml.text.startsWith('<?xml'), fromXml.status, fromXml.json.title]).toEqual([
      201,
      true,
      201,
      'From XML',
    ])
  })

  test('rule-23 GET, POST and PUT of artifacts speak XML', async () => {
    const created = await api.post('/artifacts', { as: TOM, headers: XML, body: xmlOf('In XML') })
    const id = /<id>(\d+)<\/id>/.exec(created.text)?.[1]
    const changed = await api.put(`/artifacts/${id}`, { as: TOM, headers: XML, body: xmlOf('Changed in XML') })
    const read = await api.get(`/artifacts/${id}`, { as: TOM, headers: { accept: 'application/xml' } })
    expect([created.status, changed.status, read.status]).toEqual([201, 200, 200])
    expect(read.text).toContain('Changed in XML')
  })

  test('rule-24 the root of a request is request, and its members are elements of the same name', async () => {
    const { status, text } = await api.post('/artifacts', { as: TOM, headers: XML, body: xmlOf('Hot &amp; cold') })
    const id = /<id>(\d+)<\/id>/.exec(text)?.[1]
    expect([status, (await api.get(`/artifacts/${id}`, { as: TOM })).json.title]).toEqual([201, 'Hot & cold'])
    const flat = `<request tracker="${tracker.id}"><title>No members</title></request>`
    expect((await api.post('/artifacts', { as: TOM, headers: XML, body: flat })).status).toBe(400)
  })

  test('rule-25 each element of an array is an item', async () => {
    const { text } = await api.post('/artifacts', { as: TOM, headers: XML, body: xmlOf('Items') })
    const id = /<id>(\d+)<\/id>/.exec(text)?.[1]
    const { json } = await api.get(`/artifacts/${id}`, { as: TOM })
    const fruits = json.values.find((each: { label: string }) => each.label === 'fruits')
    expect(fruits.bind_value_ids).toEqual([tracker.value('fruits', 'Apple'), tracker.value('fruits', 'Plum')])
    expect(text).toMatch(/<values>\s*<item>/)
  })
})

test('rule-26 collections are paged by limit and offset, with X-Pagination headers', async () => {
  for (let count = 0; count < 3; count++) await valves.make(`Page ${count}`)
  const path = `/trackers/${tracker.id}/artifacts`
  const { headers, json: all } = await api.get(`${path}?limit=100`, { as: TOM })
  const { json: second, headers: shown } = await api.get(`${path}?limit=1&offset=1`, { as: TOM })
  expect([headers['x-pagination-size'], second]).toEqual([String(all.length), [all[1]]])
  expect([shown['x-pagination-limit'], shown['x-pagination-size']]).toEqual(['1', String(all.length)])
})

test('rule-37 /api and /api/v1 are the same', async () => {
  const id = await valves.make('Two addresses')
  for (const path of ['/projects', `/projects/${ORCHARD}/trackers`, `/artifacts/${id}`])
    expect((await api.get(`/api/v1${path}`, { as: MARA })).text).toBe((await api.get(`/api${path}`, { as: MARA })).text)
})
