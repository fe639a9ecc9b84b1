import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { masked } from '../../../test/harness/refused.ts'
import { describeApi } from '../openapi/describe-api.ts'
import { cutPage } from './pages.ts'
import { readRoute } from './route.ts'

const Card = Type.Object({
  id: Type.Integer(),
  uri: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
  tracker: Type.Union([Type.Object({ id: Type.Integer(), label: Type.String() }), Type.Null()]),
  values: Type.Union([
    Type.Array(
      Type.Union([
        Type.Object({ field_id: Type.Integer(), label: Type.String(), value: Type.Unknown() }),
        Type.Object({ field_id: Type.Integer(), label: Type.String(), values: Type.Array(Type.Unknown()) }),
      ]),
    ),
    Type.Null(),
  ]),
  values_by_field: Type.Optional(Type.Record(Type.String(), Type.Object({ value: Type.Unknown() }))),
})

// Field 312 has no value; a field named `salary` exists, but no caller may read it.
const FIELDS = [
  { id: 310, name: 'severity' },
  { id: 311, name: 'summary' },
  { id: 312, name: 'effort' },
]
const card = (id: number) => ({
  id,
  uri: `cards/${id}`,
  title: `Card ${id}`,
  tracker: { id: 7, label: 'Bugs' },
  values: [
    { field_id: 310, label: 'Severity', values: ['high'] },
    { field_id: 311, label: 'Summary', value: '🍎'.repeat(1000) },
  ],
  values_by_field: { severity: { value: 'high' }, summary: { value: 'apple' } },
})
let asked: ReadonlySet<string> | undefined

const routes = [
  readRoute({
    method: 'GET',
    path: '/cards/:id',
    operationId: 'getCard',
    summary: 'Show.',
    access: 'everyone',
    formats: { sparse: true },
    answer: Card,
    async handle({ chosen }) {
      asked = chosen
      return { body: card(1), fieldNames: FIELDS, version: { kind: 'card', id: 1, version: 1 } }
    },
  }),
  readRoute({
    method: 'GET',
    path: '/cards',
    operationId: 'listCards',
    summary: 'List.',
    access: 'everyone',
    formats: {
      sparse: true,
      async exportRows() {
        async function* rows() {
          yield [card(1), card(2)]
        }
        return { size: 2, fieldNames: FIELDS, rows: rows() }
      },
    },
    pages: { default: 5, min: 0, max: 10 },
    answer: Type.Object({ collection: Type.Array(Card) }),
    async handle({ page: { limit, after, offset } }) {
      const all = Array.from({ length: 12 }, (_, place) => card(place + 1))
      const rows = all.filter(({ id }) => id > Number(after?.[0] ?? offset))
      const shown = cutPage(rows, limit, ({ id }) => [id])
      return {
        body: { collection: shown.rows },
        size: 12,
        next: shown.next,
        placeAt: shown.placeAt,
        fieldNames: FIELDS,
      }
    },
  }),
]
const { api } = await startWorld({ routes, seedOnce: true })
const get = (query: string, headers = {}) => api.get(`/cards/1?${query}`, { headers })

describe('fields', () => {
  test('are returned alone, with id and uri', async () => {
    expect((await get('fields=title')).json).toEqual({ id: 1, uri: 'cards/1', title: 'Card 1' })
    expect((await get('fields=tracker.id,%20title')).json).toEqual({
      id: 1,
      uri: 'cards/1',
      title: 'Card 1',
      tracker: { id: 7 },
    })
    expect((await get('fields=tracker,tracker.id')).json.tracker).toEqual({ id: 7, label: 'Bugs' })
    expect((await get('fields=')).json).toEqual(card(1))
  })

  test('are passed to the handler', async () => {
    await get('fields=title,values.severity')
    expect([...(asked ?? [])]).toEqual(['id', 'uri', 'title', 'values'])
    await get('')
    expect(asked).toBeUndefined()
  })

  test.each(['severity', '310'])('select the entry of the field %s', async (name) => {
    expect((await get(`fields=values.${name}`)).json).toEqual({
      id: 1,
      uri: 'cards/1',
      values: [{ field_id: 310, label: 'Severity', values: ['high'] }],
    })
  })

  test('select all entries, none for a field without a value, and members of a map', async () => {
    expect((await get('fields=values.*')).json.values).toHaveLength(2)
    expect((await get('fields=values')).json.values).toHaveLength(2)
    expect((await get('fields=values.effort')).json.values).toEqual([])
    expect((await get('fields=values_by_field.severity')).json.values_by_field).toEqual({ severity: { value: 'high' } })
  })

  test('that are unreadable are refused like unknown ones', async () => {
    const [hidden, absent] = [await get('fields=values.salary'), await get('fields=values.zzzzzz')]
    expect(hidden.status).toBe(400)
    expect(masked(hidden).replaceAll('salary', 'zzzzzz')).toBe(masked(absent))
    expect(hidden.json.error).toMatchObject({
      reason: 'parameter_not_allowed',
      details: { path: 'fields', allowed: ['values.*', 'values.severity', 'values.summary', 'values.effort'] },
    })
    for (const name of ['values.999', 'values_by_field.salary']) expect((await get(`fields=${name}`)).status).toBe(400)
  })

  test.each(['colour', 'title.length', 'tracker.colour', 'values.severity.value', 'id,,title', '__proto__', 'values.'])(
    '%s is unknown',
    async (names) => {
      const { status, json } = await get(`fields=${names}`)
      expect([status, json.error.reason]).toEqual([400, 'parameter_not_allowed'])
    },
  )

  test('that are unknown are refused with the known ones', async () => {
    const { json } = await get('fields=colour')
    expect(json.error.details.allowed).toEqual(['id', 'uri', 'title', 'tracker', 'values', 'values_by_field'])
    expect((await get('fields=tracker.colour')).json.error.details.allowed).toEqual(['tracker.id', 'tracker.label'])
  })

  test('are limited to 100', async () => {
    expect((await get(`fields=${Array(100).fill('id').join()}`)).status).toBe(200)
    expect((await get(`fields=${Array(101).fill('id').join()}`)).json.error.reason).toBe('parameter_out_of_range')
  })

  test('apply to XML and exports too, and have their own Etag', async () => {
    expect((await api.get('/cards/1.xml?fields=title')).text).toContain('<uri>cards/1</uri><title>Card 1</title></resp')
    const lines = await api.get('/cards.ndjson?fields=title,values.effort')
    expect(lines.text.split('\n')[1]).toBe('{"id":2,"uri":"cards/2","title":"Card 2","values":[]}')
    expect((await api.get('/cards.csv?fields=title')).text.split('\r\n')[1]).toBe('1,cards/1,Card 1')
    expect((await api.get('/cards.ndjson?fields=values.salary')).status).toBe(400)
    const [whole, part] = [await get(''), await get('fields=title')]
    expect(part.headers.etag).not.toBe(whole.headers.etag)
    expect(String(part.headers.etag).split('.')[0]).toBe(String(whole.headers.etag).split('.')[0])
  })

  test('apply to each element of a list', async () => {
    const { json, headers } = await api.get('/cards?fields=title,values.severity&limit=2')
    expect(json.collection).toEqual([
      { id: 1, uri: 'cards/1', title: 'Card 1', values: [card(1).values[0]] },
      { id: 2, uri: 'cards/2', title: 'Card 2', values: [card(2).values[0]] },
    ])
    expect(headers.link).toContain('fields=title%2Cvalues.severity')
  })
})

describe('max_bytes', () => {
  test('truncates the texts of an object, and reports it', async () => {
    const { text, json } = await get('max_bytes=1024')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024)
    expect(json.truncated).toEqual([{ path: 'values[1].value', bytes: 4000 }])
    expect((await get('max_bytes=100000')).json).toEqual(card(1))
  })

  test('applies to the selected fields', async () => {
    expect((await get('max_bytes=1024&fields=title')).json).toEqual({ id: 1, uri: 'cards/1', title: 'Card 1' })
  })

  test('cuts a list by whole elements, and Link continues', async () => {
    const seen: number[] = []
    const limits: unknown[] = []
    let next: string | undefined = '/api/cards?max_bytes=9000'
    let offset = 0
    while (next !== undefined) {
      const { text, json, headers } = await api.get(next)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9000)
      expect(headers).toMatchObject({ 'x-pagination-size': '12', 'x-pagination-offset': String(offset) })
      limits.push(headers['x-pagination-limit'])
      seen.push(...json.collection.map(({ id }: { id: number }) => id))
      offset += json.collection.length
      next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    expect(limits).toEqual(['2', '2', '2', '2', '2', '5'])
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('that is too small for one element is refused, with the required size', async () => {
    const refused = await api.get('/cards?max_bytes=1024')
    expect(refused.json.error).toMatchObject({ reason: 'parameter_out_of_range', details: { path: 'max_bytes' } })
    const { minimum } = refused.json.error.details.allowed
    expect((await api.get(`/cards?max_bytes=${minimum}`)).json.collection).toHaveLength(1)
    expect((await api.get(`/cards?max_bytes=${minimum - 1}`)).status).toBe(400)
  })

  test.each([
    ['1023', 'parameter_out_of_range'],
    ['8388609', 'parameter_out_of_range'],
    ['x', 'parameter_invalid'],
  ])('%s is refused', async (bytes, reason) => {
    expect((await get(`max_bytes=${bytes}`)).json.error.reason).toBe(reason)
  })

  test('is for JSON only', async () => {
    const xml = await get('max_bytes=2000', { accept: 'application/xml' })
    expect(xml.status).toBe(400)
    expect(xml.text).toContain('parameter_conflict')
  })
})

test('both parameters are described', () => {
  const description = JSON.stringify(describeApi(routes))
  expect(description.match(/"name":"fields"/g)).toHaveLength(2)
  expect(description.match(/"name":"max_bytes"/g)).toHaveLength(2)
})
