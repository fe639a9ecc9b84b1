import { describe, expect, test } from 'vitest'
import { named, startBoxes, statuses } from '../../../test/boxes.ts'
import { OLGA } from '../../../test/people.ts'

const { api, seen, send, labels, startAnother } = await startBoxes()

describe('an Idempotency-Key', () => {
  const key = { headers: { 'idempotency-key': 'k1' } }

  test('is kept for each part: what was written is repeated, the rest is run', async () => {
    seen.isBroken = true
    const names = named('1', 'urgent', '3', '4', '!break')
    const first = await send('/trios/1/bulk', names, key)
    expect(statuses(first)).toEqual([201, 400, 201, 500, 500])
    seen.isBroken = false
    const second = await send('/trios/1/bulk', names, key)
    expect(second.lines.slice(0, 3)).toEqual(first.lines.slice(0, 3))
    expect(statuses(second)).toEqual([201, 400, 201, 201, 201])
    expect(second.done).toEqual({ lines: 5, succeeded: 4, unchanged: 0, failed: 1, stopped: false, replayed: true })
    expect(seen.parts).toEqual([
      [1, 2, 3],
      [4, 5],
      [4, 5],
    ])
    expect((await send('/trios/1/bulk', names, key)).done).toMatchObject({ succeeded: 4, replayed: true })
  })

  test('with other lines is refused for that part, and the request stops', async () => {
    await send('/trios/1/bulk', named('1', '2', '3', '4'), key)
    const other = await send('/trios/1/bulk', named('1', '2', '3', 'other', '5', '6', '7'), key)
    expect(statuses(other)).toEqual([201, 201, 201, 422, 422, 422])
    expect(other.done).toMatchObject({ stopped: true, replayed: true })
    expect(await labels()).not.toContain('other')
  })

  test('of another box or person is another key', async () => {
    await send('/boxes/1/bulk', named('1'), key)
    expect(statuses(await send('/boxes/2/bulk', named('2'), key))).toEqual([201])
    expect(statuses(await send('/boxes/1/bulk', named('3'), { ...key, as: OLGA }))).toEqual([201])
  })

  test('lets one of two equal requests write, over two servers', async () => {
    const { api: other } = await startAnother()
    const answers = await Promise.all([api, other].map((client) => send('/boxes/1/bulk', named('1', '2'), key, client)))
    // In this process both are one request too many for the same person: a refusal or a replay, never a second write.
    expect((await labels()).filter((label) => label === '1')).toHaveLength(1)
    expect(answers.some(({ done }) => done?.succeeded === 2)).toBe(true)
  })
})
