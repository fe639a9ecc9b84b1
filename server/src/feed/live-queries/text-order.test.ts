import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { inSnapshot } from '../../platform/database/db.ts'
import { createTextOrder } from './text-order.ts'

const { context } = await startWorld({ seedOnce: true })
const TEXTS = [
  'a',
  'A',
  'a10',
  'a9',
  'ä',
  'a-b',
  'ab',
  '_',
  'ß',
  'ss',
  'Ω',
  '😀',
  '',
  ' ',
  'a\u0301',
  'á',
  '10',
  '9',
  '-1',
]

test.each(['waypost', 'default'] as const)('texts are sorted as the database sorts them: %s', async (collation) => {
  const texts = createTextOrder()
  await inSnapshot(context.db, async (tx) => {
    const sortedOnce = () => {
      const inOrder = TEXTS.toSorted((one, other) => texts.compare(one, other, collation))
      for (const [at, each] of inOrder.entries())
        if (at > 0) texts.trackComparison(inOrder[at - 1] ?? '', each, collation)
      return inOrder
    }
    let inOrder = sortedOnce()
    while (await texts.verify(tx)) inOrder = sortedOnce()
    expect(await texts.verify(tx)).toBe(false)
    expect(new Set(inOrder).size).toBe(TEXTS.length)
  })
})

test('a wrong guess is noticed once, and remembered', async () => {
  const texts = createTextOrder()
  await inSnapshot(context.db, async (tx) => {
    // By bytes a capital comes first; a comparison by language says otherwise.
    texts.trackComparison('a', 'B', 'default')
    const wasWrong = await texts.verify(tx)
    texts.trackComparison('a', 'B', 'default')
    expect(await texts.verify(tx)).toBe(false)
    expect(texts.compare('a', 'B', 'default') > 0).toBe(wasWrong)
  })
})
