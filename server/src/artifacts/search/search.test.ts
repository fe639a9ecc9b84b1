import { beforeAll, describe, expect, test } from 'vitest'
import type { RequestOptions, Response } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, clock } = await startWorld({ seedOnce: true })

const ask = (parameters: Record<string, string>, options: RequestOptions = { as: TOM }): Promise<Response> =>
  api.get(`/trackers/${BUGS}/artifacts?${new URLSearchParams(parameters).toString()}`, options)
const tql = (expert_query: string, more: Record<string, string> = {}) => ask({ expert_query, ...more })
const criteria = (query: object, more: Record<string, string> = {}) => ask({ query: JSON.stringify(query), ...more })
const titles = ({ json }: Response): string[] => json.map(({ title }: { title: string }) => title)
const nextOf = ({ headers }: Response) => /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''

const made: Record<string, number> = {}

async function make(summary: string, values: object = {}): Promise<void> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: summary }, ...values } }
  const { status, json } = await api.post('/artifacts', { as: MARA, body })
  expect(status).toBe(201)
  made[summary] = json.id
}

beforeAll(async () => {
  await make('Pump leaks', { points: { value: 5 }, due: { value: '2026-03-20' } })
  await make('Tür klemmt', { points: { value: 8 }, details: { value: 'The hinge, 100% rusty' } })
  await make('Gate squeaks', { points: { value: 5 }, due: { value: '2026-04-02' } })
  await make('Roof', { status: { bind_value_ids: [BUG_STATUS.fixed] } })
})

describe('criteria', () => {
  test.each([
    [{ points: 5 }, ['Pump leaks', 'Gate squeaks']],
    [{ [BUG.points]: '>=8' }, ['Tür klemmt']],
    [{ status: [BUG_STATUS.fixed] }, ['Roof']],
    [{ status: 'fixed' }, ['Roof']],
    [{ details: '100%' }, ['Tür klemmt']],
    [{ summary: 'TÜR' }, ['Tür klemmt']],
    [{ summary: 'tur' }, []],
    [{ summary: '/^(pump|gate)/' }, ['Pump leaks', 'Gate squeaks']],
    [{ due: { operator: 'between', value: ['2026-03-01', '2026-03-31'] } }, ['Pump leaks']],
    [{ points: 5, due: { operator: '>', value: '2026-03-20' } }, ['Gate squeaks']],
  ])('%j finds %j', async (query, found) => {
    const answer = await criteria(query)
    expect(titles(answer)).toEqual(found)
    expect(answer.headers['x-pagination-size']).toBe(String(found.length))
  })

  test('may be the body of the request, if the address has none', async () => {
    const body = { summary: 'pump' }
    expect(titles(await ask({}, { as: TOM, body }))).toEqual(['Pump leaks'])
    expect(titles(await ask({ query: '{"summary":"pump"}' }, { as: TOM, body }))).toEqual(['Pump leaks'])
    expect(await ask({ query: '{"summary":"gate"}' }, { as: TOM, body })).toMatchObject(
      refused(400, 'parameter_conflict', { cause: 'body_and_query' }),
    )
    const empty = { as: TOM, body: '', headers: { 'content-type': 'application/json' } }
    expect(titles(await ask({}, empty))).toHaveLength(4)
  })

  test('of a body are carried by the links to other pages, which are followed without the body', async () => {
    const body = { points: 5, summary: '/ü|k/' }
    const xml = '<request><points>5</points><summary>/ü|k/</summary></request>'
    const asXml = { as: TOM, body: xml, headers: { 'content-type': 'application/xml' } }
    for (const options of [{ as: TOM, body }, asXml]) {
      const first = await ask({ limit: '1' }, options)
      expect(titles(first)).toEqual(['Pump leaks'])
      const second = await api.get(nextOf(first), { as: TOM })
      expect(titles(second)).toEqual(['Gate squeaks'])
      expect(second.headers['x-pagination-size']).toBe('2')
      expect(nextOf(second)).toBe('')
    }
    const first = await ask({ limit: '1' }, { as: TOM, body })
    const [, start = ''] = /<([^>]+)>; rel="first"/.exec(String(first.headers.link)) ?? []
    expect(titles(await api.get(start, { as: TOM }))).toEqual(['Pump leaks'])
    // Clients that send the body again get the same.
    expect(titles(await api.get(nextOf(first), { as: TOM, body }))).toEqual(['Gate squeaks'])
  })

  test('of a long body are not carried', async () => {
    const body = { points: 5, details: { operator: 'contains', value: '' }, status: Array(1000).fill(BUG_STATUS.open) }
    const answer = await ask({ limit: '1' }, { as: TOM, body })
    expect(answer.status).toBe(200)
    expect(String(answer.headers.link)).not.toContain('query=')
  })

  test('of a body are carried by the pages of group counts', async () => {
    const address = `/trackers/${BUGS}/artifacts/groups?by=due:month&limit=1`
    const first = await api.get(address, { as: TOM, body: { points: 5 } })
    const second = await api.get(nextOf(first), { as: TOM })
    expect([first.json.total, second.json.total, second.status]).toEqual([2, 2, 200])
  })

  test('that are not an object, or are empty, have no effect', async () => {
    for (const query of ['5', '"x"', 'null', '[]', '', '{}']) expect(titles(await ask({ query }))).toHaveLength(4)
  })

  test('take precedence over a query, which is then not parsed', async () => {
    expect(titles(await criteria({ summary: 'pump' }, { expert_query: '((' }))).toEqual(['Pump leaks'])
  })

  test('without effect are reported', async () => {
    const answer = await criteria({ due: { operator: '=', value: 'soon' }, links: 5, summary: 'pump' })
    expect(titles(answer)).toEqual(['Pump leaks'])
    expect(answer.headers['x-criteria-ignored']).toBe('due,links')
    expect((await criteria({ summary: 'pump' })).headers).not.toHaveProperty('x-criteria-ignored')
  })

  test('with doubled backslashes are accepted', async () => {
    expect(titles(await ask({ query: String.raw`{\"summary\":\"pump\"}` }))).toEqual(['Pump leaks'])
  })

  test.each([
    ['{', 'query_malformed', 'json'],
    ['{"summary":{"operator":"contains"}}', 'query_malformed', 'criterion'],
    ['{"summary":"/(/"}', 'query_malformed', 'regular_expression'],
    [String.raw`{"summary":"/(a)\\1/"}`, 'query_malformed', 'regular_expression'],
    ['{"nothing":1}', 'query_unknown_key', 'field'],
    ['{"budget":1}', 'query_unknown_key', 'field'],
    ['{"points":{"operator":"near","value":1}}', 'query_operator', 'operator'],
  ])('%s are refused for %s, %s', async (query, reason, cause) => {
    expect(await ask({ query })).toMatchObject(refused(400, reason, { cause }))
  })
})

describe('a query', () => {
  test.each([
    ['points = 5', ['Pump leaks', 'Gate squeaks']],
    ['points != 5', ['Tür klemmt', 'Roof']],
    ['status = "Open" AND due = ""', ['Tür klemmt']],
    ['summary = "%"', []],
    ['@title = "roof" OR points > 5', ['Tür klemmt', 'Roof']],
    ['@status = OPEN() ORDER BY points DESC, due', ['Tür klemmt', 'Pump leaks', 'Gate squeaks']],
    ['ORDER BY due DESC', ['Gate squeaks', 'Pump leaks', 'Tür klemmt', 'Roof']],
    ['ORDER BY summary', ['Gate squeaks', 'Pump leaks', 'Roof', 'Tür klemmt']],
    ['submitted_by = MYSELF()', []],
  ])('%s finds %j', async (text, found) => {
    const answer = await tql(text)
    expect(titles(answer)).toEqual(found)
    expect(answer.headers['x-pagination-size']).toBe(String(found.length))
  })

  test('uses the requested order, unless it has its own', async () => {
    expect(titles(await tql('points = 5', { order: 'desc' }))).toEqual(['Gate squeaks', 'Pump leaks'])
    expect(titles(await tql('points = 5 ORDER BY due', { order: 'desc' }))).toEqual(['Pump leaks', 'Gate squeaks'])
  })

  test('reports the position of an error, and suggestions', async () => {
    const { json } = await tql('status = "Opn" AND ponts = 5')
    expect(json.error.details.all).toMatchObject([
      { reason: 'reference_unknown', cause: 'list_value', position: 9, name: 'status' },
      { reason: 'query_unknown_key', cause: 'field', position: 19 },
    ])
    expect(json.error.i18n_error_message.split('\n')).toEqual([
      'Unknown value "Opn" for status at column 10; did you mean "Open"?',
      'There is no field `ponts` at column 20; did you mean "points"?',
    ])
  })

  test.each([
    ['status =', 'query_malformed', 'syntax'],
    ['SELECT @id FROM @project = "self" WHERE @id > 1', 'query_malformed', 'select_not_supported'],
    ['IS NOT LINKED TO TRACKER != "bug"', 'query_malformed', 'double_negative'],
    ['budget = 5', 'query_unknown_key', 'field'],
    ['@nothing = 5', 'query_unknown_key', 'metadata'],
    ['summary > "a"', 'query_operator', 'operator'],
    ['due = MYSELF()', 'query_operator', 'function'],
    ['points < ""', 'query_operator', 'empty_string'],
    ['due = "soon"', 'value_invalid', 'date'],
    ['points = "many"', 'value_invalid', 'number'],
    ['submitted_by = "ghost"', 'reference_unknown', 'user'],
    ['IS LINKED TO WITH TYPE "nothing"', 'reference_unknown', 'link_type'],
    [Array.from({ length: 31 }, () => 'points = 1').join(' OR '), 'parameter_out_of_range', 'too_complex'],
    [`${'('.repeat(65)}points = 1${')'.repeat(65)}`, 'parameter_out_of_range', 'too_deep'],
  ])('%s is refused for %s, %s', async (text, reason, cause) => {
    expect(await tql(text)).toMatchObject(refused(400, reason, { cause }))
  })

  test('can be explained instead of run', async () => {
    for (const answer of [
      await tql('explain points=5 and summary="pump"'),
      await tql('points = 5 AND summary = "pump"', { explain: 'true' }),
    ])
      expect(answer.json).toEqual({
        explain: {
          normalized: expect.stringContaining('points = 5 AND summary = "pump"'),
          fields: [
            { name: 'points', field_id: BUG.points, type: 'int' },
            { name: 'summary', field_id: BUG.summary, type: 'string' },
          ],
          terms: 2,
          estimated_matches: expect.any(Number),
          estimated_cost: expect.any(Number),
          uses: expect.any(Array),
          ignored: [],
          warnings: [expect.stringContaining('contains')],
        },
      })
    expect((await ask({ query: '{"summary":"/x/"}', explain: 'true' })).json.explain.warnings).toHaveLength(1)
  })

  test('R13 is explained by orders of magnitude: hidden artifacts cannot be counted', async () => {
    const { estimated_matches, estimated_cost } = (await tql('points > 1', { explain: 'true' })).json.explain
    expect(Number.isInteger(Math.log10(estimated_matches))).toBe(true)
    expect(Number.isInteger(Math.log10(estimated_cost))).toBe(true)
  })

  test('can be about the past, with current permissions', async () => {
    await make('Changing', { points: { value: 1 }, budget: { value: 7 } })
    const then = clock.now().toISOString()
    clock.advance(60_000)
    await api.put(`/artifacts/${made['Changing']}`, {
      as: MARA,
      body: { values: [{ field_id: BUG.points, value: 2 }] },
    })
    expect(titles(await tql('points = 1'))).toEqual([])
    expect(titles(await tql(`points = 1 AS OF "${then}"`))).toEqual(['Changing'])
    const pointsIn = ({ json }: Response) =>
      json[0].values.find((each: { label: string }) => each.label === 'Points').value
    expect(pointsIn(await tql(`points = 1 AS OF "${then}"`, { values: 'all' }))).toBe(2)
    expect(pointsIn(await tql(`points = 1 AS OF "${then}"`, { values: 'all', values_as_of: 'true' }))).toBe(1)
    expect(titles(await tql('points = 1 AS OF "2020-01-01"'))).toEqual([])
    expect(titles(await tql('points = 2 AS OF "2030-01-01"'))).toEqual(['Changing'])
    expect(await tql(`budget = 7 AS OF "${then}"`)).toMatchObject(refused(400, 'query_unknown_key'))
    await api.delete(`/artifacts/${made['Changing']}`, { as: MARA })
    expect(titles(await tql(`points = 1 AS OF "${then}"`))).toEqual([])
  })
})

describe('paging', () => {
  test('by links shows each artifact once, in any order', async () => {
    for (const text of ['ORDER BY due DESC', 'ORDER BY points, summary DESC', 'points != 1']) {
      const whole = titles(await tql(text))
      const walked: string[] = []
      let page = await tql(text, { limit: '1' })
      for (; ; page = await api.get(nextOf(page), { as: TOM })) {
        walked.push(...titles(page))
        expect(page.headers['x-pagination-size']).toBe(String(whole.length))
        if (nextOf(page) === '') break
      }
      expect(walked).toEqual(whole)
    }
  })

  test('does not continue in another query', async () => {
    const cursor = new URL(nextOf(await tql('points = 5', { limit: '1' })), api.origin).searchParams.get('cursor') ?? ''
    expect(await tql('points = 8', { cursor })).toMatchObject(
      refused(400, 'parameter_conflict', { cause: 'cursor_of_another_query' }),
    )
    expect(await tql('points = 5', { cursor, offset: '1' })).toMatchObject(
      refused(400, 'parameter_conflict', { cause: 'cursor_and_offset' }),
    )
  })

  test('with NOW() continues although time passes', async () => {
    const first = await tql('submitted_on <= NOW()', { limit: '1' })
    clock.advance(120_000)
    expect(titles(await api.get(nextOf(first), { as: TOM }))).toHaveLength(1)
  })
})

test('comments are found by viewers who may read them', async () => {
  const body = { comment: { body: 'The pump is older than me', format: 'text' } }
  await api.put(`/artifacts/${made['Pump leaks']}`, { as: UMA, body })
  expect(titles(await tql('@comments = "OLDER than"'))).toEqual(['Pump leaks'])
  expect(titles(await tql('@comments != "older"'))).not.toContain('Pump leaks')
})

test('the result is the same in XML', async () => {
  const { text, headers } = await ask(
    { expert_query: 'points = 8' },
    { as: TOM, headers: { accept: 'application/xml' } },
  )
  expect(headers['content-type']).toMatch('xml')
  expect(text).toContain('Tür klemmt')
})

test('CSV has all matches', async () => {
  const { text, headers } = await ask({ expert_query: 'points = 5' }, { as: TOM, headers: { accept: 'text/csv' } })
  expect(headers['x-pagination-size']).toBe('2')
  expect(text.trim().split('\r\n')).toHaveLength(3)
})
