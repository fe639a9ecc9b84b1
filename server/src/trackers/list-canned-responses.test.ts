import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { refused } from '../../test/harness/refused.ts'
import { startWorld } from '../../test/harness/start-world.ts'

const { api } = await startWorld()
const canned_responses = ['Late', 'Lost', 'Found'].map((title) => ({ title, body: `It is **${title}**.` }))
let tracker: MadeTracker
beforeEach(async () => {
  const definition = { label: 'Answers', item_name: 'answer', permissions: { full: ['@members'] }, canned_responses }
  tracker = await makeTestTracker(api, definition)
})
const list = (as: typeof TOM | undefined, query = '') =>
  api.get(`/trackers/${tracker.id}/canned_responses${query}`, { ...(as && { as }) })

describe('GET /trackers/{id}/canned_responses', () => {
  test('shows the prepared comments to everyone who sees the tracker, in their order', async () => {
    for (const as of [TOM, MARA, ADA]) expect((await list(as)).json).toEqual(canned_responses)
    const { json, headers } = await list(TOM, '?limit=1&offset=1')
    expect(json).toEqual(canned_responses.slice(1, 2))
    expect(headers['x-pagination-size']).toBe('3')
    const next = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1] ?? ''
    expect((await api.get(next.replace('https://waypost.example/api', ''), { as: TOM })).json).toEqual(
      canned_responses.slice(2),
    )
  })

  test('is hidden from strangers, and needs an account', async () => {
    expect(await list(OLGA)).toMatchObject(refused(404, 'not_found'))
    expect(await list(undefined)).toMatchObject(refused(401, 'authentication_required'))
  })
})
