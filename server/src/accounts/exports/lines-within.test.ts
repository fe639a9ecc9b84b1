import { expect, test } from 'vitest'
import { linesWithin } from './lines-within.ts'

test('lines come as long as their budget lasts, and the last one says that there is more', async () => {
  const budget = { left: 20 }
  let asked = 0
  const rows = async function* () {
    for (;;) yield { row: asked++ } // 10 characters and the end of the line.
  }
  const lines = async (read: () => AsyncIterable<object> | Promise<object[]>) =>
    (await Array.fromAsync(linesWithin(budget, read))).join('')

  expect(await lines(async () => [{ a: 1 }])).toBe('{"a":1}\n')
  expect(await lines(rows)).toBe('{"row":0}\n{"left_out":true}\n')
  expect(asked).toBe(2)
  expect(await lines(async () => [])).toBe('')
  expect(await lines(rows)).toBe('{"left_out":true}\n')
})
