import { beforeAll, describe, expect, test } from 'vitest'
import { makeRepairs, type Repairs, uploadInChunks } from '../../../test/fixtures/attachments.ts'
import type { Response } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { BUGS, ORCHARD, QUARRY } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
let repairs: Repairs
beforeAll(async () => {
  repairs = await makeRepairs(api, MARA)
})

/** Null searches anonymously. */
const search = (keywords: string, as: TestPerson | null = OLGA, more: object = {}): Promise<Response> =>
  api.post('/search', { ...(as && { as }), body: { keywords, ...more } })
const idsIn = ({ json }: Response): number[] => json.map((row: { per_type_id: number }) => row.per_type_id)
const find = async (keywords: string, as?: TestPerson, more: object = {}) => idsIn(await search(keywords, as, more))
const sizeOf = ({ headers }: Response) => Number(headers['x-pagination-size'])
const named = (name: string) => uploadInChunks(api, MARA, { name })
const put = async (id: number, item: object, name?: string) => {
  const { status, text } = await repairs.put(id, MARA, item, name)
  if (status !== 200) throw new Error(text)
}

describe('the name of a file', () => {
  let id: number
  beforeAll(async () => {
    id = await repairs.make({
      summary: 'Northern winch',
      attachment: [await named('Gearbox-sketch_brûlée.pdf')],
      drawings: [await named('manual.txt')],
    })
    const body = { values: [], comment: { body: 'Until Wednesday', format: 'text' } }
    await api.put(`/artifacts/${id}`, { as: MARA, body })
  })

  test.each([
    ['its words', 'gearbox sketch'],
    ['the whole of it', 'Gearbox-sketch_brûlée.pdf'],
    ['other case and accents', 'GEARBOX brulee'],
    ['a phrase', '"gearbox sketch"'],
    ['a beginning', 'gearb'],
    ['its ending', 'gearbox pdf'],
    ['words of title and name', 'northern gearbox'],
    ['words of title and name, the longer one in the name', 'winch gearbox'],
    ['words of a comment and name', 'wednesday gearbox'],
    ['words of all three', 'northern wednesday gearbox'],
    ['words of two names', 'gearbox manual'],
  ])('finds the artifact by %s', async (_, keywords) => {
    expect(await find(keywords)).toEqual([id])
    expect(await find(keywords, OLGA, { tracker: repairs.id })).toEqual([id])
    expect(await find(keywords, OLGA, { project: ORCHARD })).toEqual([id])
    expect(await find(keywords, OLGA, { tracker: BUGS })).toEqual([])
    expect(await find(keywords, ADA, { project: QUARRY })).toEqual([])
  })

  test.each([
    ['the middle of it', 'earbox'],
    ['a word that is nowhere', 'gearbox teapot'],
    ['a phrase from one name into the next', '"pdf manual"'],
    ['a phrase from the title into a name', '"winch gearbox"'],
  ])('does not find it by %s', async (_, keywords) => {
    expect(await find(keywords)).toEqual([])
  })

  test('is found from the write that attaches it until the write that detaches it', async () => {
    const crane = await repairs.make({ summary: 'Southern crane' })
    const file = await named('capstan.png')
    expect(await find('capstan', MARA)).toEqual([])
    await put(crane, { value: [file] })
    expect([await find('capstan'), await find('southern capstan')]).toEqual([[crane], [crane]])
    await put(crane, { value: [] })
    expect([await find('capstan'), await find('southern capstan')]).toEqual([[], []])
    await put(crane, { value: [await named('bollard.png')] })
    expect(await find('bollard')).toEqual([crane])
    expect((await api.delete(`/artifacts/${crane}`, { as: MARA })).status).toBe(200)
    expect(await find('bollard', MARA)).toEqual([])
  })

  test('finds an artifact without other texts, also by short words', async () => {
    const bare = await repairs.make({ attachment: [await named('x9 q7.txt')] })
    expect([await find('x9 q7'), await find('"q7" x9'), await find('x9 q8')]).toEqual([[bare], [bare], []])
  })

  test('is shown if nothing else matches, and ranks below a title', async () => {
    const inName = await repairs.make({ summary: 'Western', attachment: [await named('windlass plan.txt')] })
    const inTitle = await repairs.make({ summary: 'Windlass' })
    await put(inName, { value: [await named('later.txt')] }, 'drawings')
    const { json } = await search('windlass')
    expect(json).toMatchObject([
      { per_type_id: inTitle, cropped_content: null },
      { per_type_id: inName, title: 'Western', cropped_content: 'windlass plan.txt' },
    ])
  })
})

describe('an unreadable file', () => {
  test('is not found by name', async () => {
    const id = await repairs.make({ summary: 'Eastern crane', secrets: [await named('sextant.txt')] })
    for (const keywords of ['sextant', 'eastern sextant', '"sextant.txt"']) {
      for (const person of [MARA, ADA]) expect(await find(keywords, person)).toEqual([id])
      for (const person of [null, OLGA, GUS, TOM]) {
        const answer = await search(keywords, person)
        expect([answer.text, sizeOf(answer)]).toEqual(['[]', 0])
      }
    }
    expect(await find('eastern', TOM)).toEqual([id])
  })

  test('is not shown next to a hit, and does not affect the rank', async () => {
    const id = await repairs.make({ summary: 'Astrolabe', secrets: [await named('astrolabe hidden.txt')] })
    expect((await search('astrolabe', MARA)).json).toMatchObject([{ cropped_content: 'astrolabe hidden.txt' }])
    expect((await search('astrolabe', TOM)).json).toMatchObject([{ per_type_id: id, cropped_content: null }])
  })

  test('is found by all who may read its field, independent of who may update it', async () => {
    const id = await repairs.make({ summary: 'Shown', shown_only: [await named('octant.txt')] })
    for (const person of [OLGA, TOM, MARA]) expect(await find('octant', person)).toEqual([id])
  })

  test('is not found on an artifact that is hidden from the viewer', async () => {
    const only = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
    const id = await repairs.make({ summary: 'Few', attachment: [await named('quadrant.txt')], seen_by: only })
    expect([await find('quadrant', MARA), await find('quadrant', TOM)]).toEqual([[id], []])
  })
})
