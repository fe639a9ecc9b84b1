import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
const LIVE = `/trackers/${BUGS}/artifacts/live`

describe('refusals', () => {
  test.each([
    ['?offset=1', 'offset'],
    ['?cursor=abc', 'cursor'],
    ['?explain=true', 'explain'],
    [`?expert_query=${encodeURIComponent('summary = "x" AS OF "2026-01-01"')}`, 'expert_query'],
    [`?expert_query=${encodeURIComponent('EXPLAIN summary = "x"')}`, 'expert_query'],
  ])('parameters that only lists support: %s', async (query, path) => {
    const { status, json } = await api.get(`${LIVE}${query}`, { as: TOM, headers: { accept: 'text/event-stream' } })
    expect([status, json.error.reason, json.error.details.path]).toEqual([400, 'parameter_conflict', path])
  })

  test.each([
    ['?limit=0', 'parameter_out_of_range'],
    ['?limit=1001', 'parameter_out_of_range'],
    ['?order=up', 'parameter_not_allowed'],
    ['?fields=nothing', 'parameter_not_allowed'],
    ['?fields=values.budget', 'parameter_not_allowed'],
    ['?query=%7B%22budget%22%3A1%7D', 'query_unknown_key'],
    ['?expert_query=summary', 'query_malformed'],
    ['?fields=title&max_bytes=100000', 'parameter_conflict'],
  ])('invalid queries, before the stream begins: %s', async (query, reason) => {
    const { status, json } = await api.get(`${LIVE}${query}`, { as: TOM, headers: { accept: 'text/event-stream' } })
    expect([status, json.error.reason]).toEqual([400, reason])
  })

  test.each(['application/json', 'application/xml', '*/*', 'text/csv'])('any other media type: %s', async (accept) => {
    const { status, text } = await api.get(LIVE, { as: TOM, headers: { accept } })
    expect([status, text]).toEqual([406, expect.stringContaining('not_acceptable')])
  })

  test('a tracker that is absent or hidden', async () => {
    const ask = (id: number) =>
      api.get(`/trackers/${id}/artifacts/live`, { as: TOM, headers: { accept: 'text/event-stream' } })
    expect((await ask(LEDGER)).status).toBe(404)
    expect((await ask(999_999)).status).toBe(404)
  })
})
