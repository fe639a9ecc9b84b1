import { describe, expect, test } from 'vitest'
import { namedLines, startSampleBulkRoutes, lineStatuses } from '../../../test/fixtures/sample-bulk-routes.ts'
import { OLGA } from '../../../test/fixtures/people.ts'

const { api, seen, send, labels, startAnother } = await startSampleBulkRoutes()

describe('an Idempotency-Key', () => {
  const key = { headers: { 'idempotency-key': 'k1' } }

  test('is stored for each batch: written batches are replayed, the others run', async () => {
    seen.isBroken = true
    const names = namedLines('1', 'urgent', '3', '4', '!break')
    const first = await send('/trios/1/bulk', names, key)
    expect(lineStatuses(first)).toEqual([201, 400, 201, 500, 500])
    seen.isBroken = false
    const second = await send('/trios/1/bulk', names, key)
    expect(second.lines.slice(0, 3)).toEqual(first.lines.slice(0, 3))
    expect(lineStatuses(second)).toEqual([201, 400, 201, 201, 201])
    expect(second.done).toEqual({ lines: 5, succeeded: 4, unchanged: 0, failed: 1, stopped: false, replayed: true })
    expect(seen.parts).toEqual([
      [1, 2, 3],
      [4, 5],
      [4, 5],
    ])
    expect((await send('/trios/1/bulk', names, key)).done).toMatchObject({ succeeded: 4, replayed: true })
  })

  test('with other lines is refused for that batch, and the request stops', async () => {
    await send('/trios/1/bulk', namedLines('1', '2', '3', '4'), key)
    const other = await send('/trios/1/bulk', namedLines('1', '2', '3', 'other', '5', '6', '7'), key)
    expect(lineStatuses(other)).toEqual([201, 201, 201, 422, 422, 422])
    expect(other.done).toMatchObject({ stopped: true, replayed: true })
    expect(await labels()).not.toContain('other')
  })

  test('of another path or account is another key', async () => {
    await send('/boxes/1/bulk', namedLines('1'), key)
    expect(lineStatuses(await send('/boxes/2/bulk', namedLines('2'), key))).toEqual([201])
    expect(lineStatuses(await send('/boxes/1/bulk', namedLines('3'), { ...key, as: OLGA }))).toEqual([201])
  })

  test('lets one of two equal requests write, across two servers', async () => {
    const { api: other } = await startAnother()
    const answers = await Promise.all(
      [api, other].map((client) => send('/boxes/1/bulk', namedLines('1', '2'), key, client)),
    )
    // In this process the second request exceeds the limit of the account: an error or a replay, never a second write.
    expect((await labels()).filter((label) => label === '1')).toHaveLength(1)
    expect(answers.some(({ done }) => done?.succeeded === 2)).toBe(true)
  })
})
