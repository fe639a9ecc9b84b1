import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { writeXml } from '../wire/xml.ts'
import { readRoute } from './route.ts'

const LENGTH = 300
const elements = Array.from({ length: LENGTH }, (_, id) => ({ id, uri: `things/${id}`, text: `<Ä & "${id}">` }))

const things = readRoute({
  method: 'GET',
  path: '/long_things',
  operationId: 'listLongThings',
  summary: 'List many things.',
  access: 'everyone',
  query: { printed: Type.Optional(Type.Boolean()) },
  pages: { default: 100, min: 0, max: 1000 },
  formats: { sparse: true },
  answer: Type.Array(
    Type.Object({ id: Type.Integer(), uri: Type.String(), text: Type.String() }, { title: 'LongThing' }),
  ),
  async handle({ page: { limit }, query, printElements }) {
    const body = elements.slice(0, limit).map((each) => ({ ...each, hidden: 'not in the schema' }))
    const facts = { size: LENGTH, placeAt: (at: number) => [at] }
    if (query.printed && !printElements) throw new TypeError('The page is not large.')
    return query.printed && printElements ? { ...facts, printed: await printElements(body) } : { ...facts, body }
  },
})
const { api } = await startWorld({ routes: [things], seedOnce: true })

async function read(query: string) {
  const { status, text, headers } = await api.get(`/long_things${query}`, { as: TOM })
  expect(status).toBe(200)
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
  return { text, headers }
}

test.each([20, 60, 300])('a list of %i elements is the same text in JSON and XML', async (limit) => {
  const expected = elements.slice(0, limit)
  expect((await read(`?limit=${limit}`)).text).toBe(JSON.stringify(expected))
  expect((await read(`.xml?limit=${limit}`)).text).toBe(writeXml(expected))
})

test('elements that the handler prints are the same text', async () => {
  expect((await read('?limit=300&printed=true')).text).toBe(JSON.stringify(elements))
  expect((await read('.xml?limit=300&printed=true')).text).toBe(writeXml(elements))
})

test('a long list is cut to the requested members', async () => {
  const { text } = await read('?limit=300&fields=id')
  expect(JSON.parse(text)).toEqual(elements.map(({ id, uri }) => ({ id, uri })))
})

test('a long list is cut to the requested size, with a link to the rest', async () => {
  const { text, headers } = await read('?limit=300&max_bytes=5000')
  const shown: unknown[] = JSON.parse(text)
  expect(shown).toEqual(elements.slice(0, shown.length))
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5000)
  expect(Buffer.byteLength(JSON.stringify(elements.slice(0, shown.length + 1)))).toBeGreaterThan(5000)
  expect(headers['x-pagination-limit']).toBe(String(shown.length))
  expect(headers['link']).toContain('rel="next"')
})

test('HEAD tells the length of a long list', async () => {
  const { headers } = await api.request('HEAD', '/long_things?limit=300', { as: TOM })
  expect(headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(elements))))
})
