import { beforeAll, describe, expect, test } from 'vitest'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { LEDGER } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'
import { writeInBulk } from '../../test/fixtures/bulk.ts'

const { api, clock } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
const ids: number[] = []

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  ids.push(
    await makeTestArtifact(api, tracker, {
      summary: '=HYPERLINK("https://evil.example","x")',
      details: { value: '-1 "quoted"\nsecond line', format: 'text' },
      points: -5,
      effort: -0.5,
      due: '2026-03-05',
      started: '2026-03-05T10:30:00+02:00',
      status: 'Working',
      fruits: { value: ['Apple', 'Plum'] },
      assigned_to: { value: ['uma', 'tom'] },
      team: { value: 'leads' },
      tags: { value: ['a|b', 'c\\d', 'cold'] },
      budget: '+1',
    }),
  )
  ids.push(
    await makeTestArtifact(api, tracker, {
      summary: 'Parent, of one',
      links: { links: [{ id: ids[0], type: '_is_child' }] },
    }),
  )
  ids.push(await makeTestArtifact(api, tracker, { summary: '@home', seen_by: { value: { granted_groups: ['3001'] } } }))
  clock.advance(1000)
})

const get = (path: string, headers: Record<string, string> = {}, as = TOM) =>
  api.get(`/trackers/${tracker.id}/artifacts${path}`, { as, headers })
const csv = async (query = '', as = TOM) => {
  const { text } = await get(`.csv${query}`, {}, as)
  return text.split('\r\n')
}

describe('as NDJSON', () => {
  test('the whole list is exported, each element as on a page', async () => {
    const { json } = await get('?values=all')
    const { text, headers } = await get('?values=all', { accept: 'application/x-ndjson' })
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(json)
    expect(headers['x-pagination-size']).toBe(String(json.length))
    expect(headers['content-disposition']).toMatch(/^attachment/)
    expect(headers).not.toHaveProperty('etag')
    const { json: plain } = await get('?order=desc')
    const { text: suffixed } = await get('.ndjson?order=desc')
    expect(
      suffixed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(plain)
  })

  test('only the requested members are exported', async () => {
    const { text } = await get('.ndjson?fields=title,values.points')
    expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual({
      id: ids[0],
      uri: `artifacts/${ids[0]}`,
      title: expect.any(String),
      values: [expect.objectContaining({ value: -5 })],
    })
  })

  test('paging headers are absent', async () => {
    for (const query of ['limit=1', 'offset=0', 'cursor=x'])
      expect(await get(`.ndjson?${query}`)).toMatchObject(refused(400, 'parameter_conflict'))
    expect(await get('.csv?fields=values.budget')).toMatchObject(refused(400, 'parameter_not_allowed'))
    expect(await api.get(`/trackers/${LEDGER}/artifacts.csv`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('as CSV', () => {
  const USUAL = ['id', 'xref', 'title', 'status', 'submitted_by', 'submitted_on', 'last_modified_date']
  const FIELDS = EVERY_FIELD.elements.flatMap(({ name }) =>
    name === 'budget' ? [] : [USUAL.includes(name) ? `${name}_2` : name],
  )

  test('there is a column for each list member and for every readable field', async () => {
    const [head, , parent] = await csv()
    expect(head).toBe([...USUAL, ...FIELDS].join(','))
    expect(new Set(head?.split(',')).size).toBe(head?.split(',').length)
    expect(parent).toContain(`${ids[1]},delivery #${ids[1]},"Parent, of one",,mara,2026-03-01T09:30:00+00:00,`)
    const [asAdmin] = await csv('', MARA)
    expect(asAdmin).toContain(',remaining,budget,id_2,')
  })

  test('dates, days, people, lists and numbers are written in a form that spreadsheets read', async () => {
    const names =
      'values.points,values.effort,values.due,values.started,values.status,values.fruits,values.assigned_to,values.team'
    expect((await csv(`?fields=${names}`)).slice(0, 2)).toEqual([
      'points,effort,due,started,status,fruits,assigned_to,team',
      '-5,-0.5,2026-03-05,2026-03-05T08:30:00+00:00,Working,Apple|Plum,uma|tom,leads',
    ])
    expect((await csv('?fields=values.tags,values.links,values.remaining,id')).slice(0, 3)).toEqual([
      'tags,links,remaining,id',
      `a\\|b|c\\\\d|cold,,,${ids[0]}`,
      `,${ids[0]},-5,${ids[1]}`,
    ])
    expect(
      (await csv('?fields=tracker.id,submitted_by,submitted_by_user.id,full_status,assignees,is_open')).slice(0, 2),
    ).toEqual([
      'tracker.id,submitted_by,submitted_by_user.id,full_status,assignees,is_open',
      `${tracker.id},mara,${MARA.id},Working,uma|tom,true`,
    ])
  })

  test('typed text never becomes a formula, unless raw output is requested', async () => {
    const fields = '?fields=title,values.details,values.budget,values.points'
    expect((await csv(fields, MARA)).slice(0, 2).join('\n')).toBe(
      `title,details,budget,points\n"'=HYPERLINK(""https://evil.example"",""x"")","'-1 ""quoted""\nsecond line",'+1,-5`,
    )
    expect((await csv('?fields=title', MARA)).slice(3)).toEqual(["'@home", ''])
    expect((await csv('?fields=title&raw=true', MARA)).slice(3)).toEqual(['@home', ''])
  })

  test('separator and byte order mark can be chosen', async () => {
    const { text, headers } = await get('?fields=id,title&separator=semicolon&bom=true', { accept: 'text/csv' })
    expect(text.startsWith('\uFEFFid;title\r\n')).toBe(true)
    expect(text).toContain(`${ids[1]};"Parent, of one"\r\n`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect((await csv('?fields=id,title&separator=tab'))[0]).toBe('id\ttitle')
  })

  test('only rows that the viewer sees are exported', async () => {
    expect(await csv('?fields=id', OLGA)).toEqual(['id', String(ids[0]), String(ids[1]), ''])
    expect(await csv('?fields=id&order=desc', MARA)).toEqual(['id', ...ids.toReversed().map(String), ''])
  })
})

test('more rows than one batch are exported completely and in order', async () => {
  const lines = Array.from({ length: 450 }, (_, at) => ({ op: 'create', values_by_field: { summary: `Crate ${at}` } }))
  await writeInBulk(api, tracker.id, lines)
  const titles = await csv('?fields=title')
  expect(titles.slice(3, -1)).toEqual(lines.map(({ values_by_field }) => values_by_field.summary))
  const { text } = await get('.ndjson')
  expect(text.trimEnd().split('\n')).toHaveLength(452)
})
