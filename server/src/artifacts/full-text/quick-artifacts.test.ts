import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import type { Response } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { parseKeywords } from '../../projects/search/keywords.ts'
import { foldTerms } from '../../projects/search/search-terms-sql.ts'
import { listTitled, listWorded, planCandidates } from './quick-candidates.ts'

const { api, context } = await startWorld({ seedOnce: true })

let pumps: MadeTracker
beforeAll(async () => {
  pumps = await makeTestTracker(api, {
    label: 'Pumps',
    item_name: 'pump',
    color_name: 'fiesta-red',
    permissions: { full: ['@anonymous'] },
    elements: [
      { name: 'summary', type: 'string', label: 'Summary' },
      { name: 'details', type: 'text', label: 'Details' },
      {
        name: 'status',
        type: 'sb',
        label: 'Status',
        bind: { type: 'static', values: [{ key: 'open', label: 'Open', color: 'fiesta-red' }] },
      },
      { name: 'owner', type: 'sb', label: 'Owner', bind: { type: 'users', sources: ['@members'] } },
    ],
    semantics: { title: 'summary', status: { field: 'status', open: ['open'] }, contributor: 'owner' },
  })
})

async function make(values_by_field: object, comment?: string): Promise<number> {
  const said = comment === undefined ? {} : { comment: { body: comment, format: 'text' } }
  const body = { tracker: { id: pumps.id }, values_by_field, ...said }
  const { status, json, text } = await api.post('/artifacts', { as: MARA, body })
  if (status !== 201) throw new Error(text)
  return json.id
}
const search = (
  query: string,
  as: TestPerson | undefined = OLGA,
  more: Record<string, string> = {},
): Promise<Response> =>
  api.get(`/search?${new URLSearchParams({ query, only: 'artifacts', ...more }).toString()}`, as && { as })
const find = async (query: string, more: Record<string, string> = {}): Promise<[number, string][]> =>
  (await search(query, OLGA, more)).json.artifacts.map((each: { id: number; matched: string }) => [
    each.id,
    each.matched,
  ])

describe('an artifact', () => {
  test('is shown with what a row of the palette needs', async () => {
    const id = await make({
      summary: 'Gasket torn',
      details: 'Water near pump 4',
      status: 'Open',
      owner: { value: 'tom' },
    })
    expect((await search('gask')).json.artifacts).toEqual([
      {
        id,
        uri: `artifacts/${id}`,
        html_url: `/artifacts/${id}`,
        xref: `pump #${id}`,
        title: 'Gasket torn',
        tracker: {
          id: pumps.id,
          uri: `trackers/${pumps.id}`,
          html_url: `/trackers/${pumps.id}`,
          label: 'Pumps',
          item_name: 'pump',
          color_name: 'fiesta-red',
          project: { id: ORCHARD, uri: `projects/${ORCHARD}`, label: 'Orchard', icon: '🌳', shortname: 'orchard' },
        },
        status: { value: 'Open', color: 'fiesta-red' },
        is_open: true,
        assignees: [expect.objectContaining({ id: TOM.id })],
        last_modified_date: expect.any(String),
        matched: 'title',
        snippet: null,
      },
    ])
  })

  test.each([
    ['its id', (id: number) => `${id}`],
    ['its id and a sign', (id: number) => `#${id}`],
    ['a reference', (id: number) => `pump #${id}`],
    ['a general reference', (id: number) => `art #${id}`],
    ['a reference with its project', (id: number) => `pump #orchard:${id}`],
  ])('is found by %s, in any project', async (_, name) => {
    const id = await make({ summary: 'Numbered' })
    expect((await find(name(id)))[0]).toEqual([id, 'id'])
    expect((await find(name(id), { project: String(ORCHARD) }))[0]).toEqual([id, 'id'])
    expect(await find(`valve #${id}`)).toEqual([])
  })

  test('is found by half a word of its title, of a text and of a comment, in this order', async () => {
    const commented = await make({ summary: 'First' }, 'The manometer is wrong')
    const worded = await make({ summary: 'Second', details: 'A manometer, too' })
    const titled = await make({ summary: 'Third manometer' })
    const newest = await make({ summary: 'Manometers' })
    expect(await find('manom')).toEqual([
      [newest, 'title'],
      [titled, 'title'],
      [worded, 'text'],
      [commented, 'text'],
    ])
    const { json } = await search('manom')
    expect(json.artifacts.map(({ snippet }: { snippet: string | null }) => snippet)).toEqual([
      null,
      null,
      'A manometer, too',
      'The manometer is wrong',
    ])
    expect(await find('manom', { limit: '3' })).toHaveLength(3)
    expect(await find('anometer')).toEqual([])
  })

  test('is found by beginnings of several words, wherever each is', async () => {
    const id = await make({ summary: 'Turbine halts', details: 'After lightning' }, 'Seen on Tuesday')
    for (const query of ['turb hal', 'turb light', 'light tues', 'tues turb light', '"after lightning" tur'])
      expect([query, (await find(query)).map(([found]) => found)]).toEqual([query, [id]])
    expect(await find('turb nothing')).toEqual([])
  })

  test('is found by one or two letters of its title only', async () => {
    const id = await make({ summary: 'Żq valve', details: 'xq' })
    const plain = await make({ summary: 'Jq valve' })
    expect(await find('jq')).toEqual([[plain, 'title']])
    expect(await find('j', { limit: '20' })).toContainEqual([plain, 'title'])
    expect(await find('xq')).toEqual([])
    expect((await find('zq valve')).map(([found]) => found)).toEqual([id])
  })

  test('is found by a title that is longer than its narrow copy', async () => {
    const id = await make({ summary: `${'Very '.repeat(60)} longwinded` })
    expect(await find('longwind')).toEqual([[id, 'title']])
  })

  test('is not found outside of the project, nor after its deletion', async () => {
    const id = await make({ summary: 'Periscope' })
    expect(await find('periscope', { project: String(ORCHARD) })).toEqual([[id, 'title']])
    expect((await search('periscope', MARA, { project: String(VAULT) })).status).toBe(400)
    expect((await api.delete(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
    expect([await find('periscope'), await find(String(id))]).toEqual([[], []])
  })
})

test('candidates of a frequent word are those of a rare word', async () => {
  for (let each = 0; each < 40; each++)
    await make({ summary: `Sprocket ${each % 3}`, details: 'grease' }, 'Sprocket, again')
  await make({ summary: 'Nothing' }, 'A sprocket')
  const viewer: Viewer = {
    account_id: OLGA.id,
    is_site_admin: false,
    is_restricted: false,
    language: null,
    time_zone: null,
  }
  for (const typed of ['sprock', 'sprocket 1', 'sprocket grease']) {
    const terms = await foldTerms(context.db, parseKeywords(typed))
    const query = { context, viewer, terms, project: undefined }
    const { words, first = '' } = await planCandidates(query)
    const plan = (in_texts: boolean, in_comments: boolean) => ({
      words,
      first,
      isFrequent: { in_texts, in_comments },
    })
    const titled = await listTitled(query, plan(false, false), Number.MAX_SAFE_INTEGER, 16)
    expect(titled).toEqual(await listTitled(query, plan(true, true), Number.MAX_SAFE_INTEGER, 16))
    const worded = await listWorded(query, plan(false, false), Number.MAX_SAFE_INTEGER, 16)
    expect(worded.length).toBeGreaterThan(10)
    for (const isFrequent of [plan(true, true), plan(true, false), plan(false, true)])
      expect(await listWorded(query, isFrequent, Number.MAX_SAFE_INTEGER, 16)).toEqual(worded)
    expect(await listWorded(query, plan(true, true), worded[3] ?? 0, 16)).toEqual(
      (await listWorded(query, plan(false, false), Number.MAX_SAFE_INTEGER, 64)).slice(4, 20),
    )
  }
})
