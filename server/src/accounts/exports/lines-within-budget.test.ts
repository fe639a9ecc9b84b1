import { expect, test } from 'vitest'
import { linesWithinBudget } from './lines-within-budget.ts'

test('lines are returned within the budget, and the last one marks the truncation', async () => {
  const budget = { left: 20 }
  let asked = 0
  const rows = async function* () {
    for (;;) yield { row: asked++ } // 10 characters and a line break.
  }
  const lines = async (read: () => AsyncIterable<object> | Promise<object[]>) =>
    (await Array.fromAsync(linesWithinBudget(budget, read))).join('')

  expect(await lines(async () => [{ a: 1 }])).toBe('{"a":1}\n')
  expect(await lines(rows)).toBe('{"row":0}\n{"left_out":true}\n')
  expect(asked).toBe(2)
  expect(await lines(async () => [])).toBe('')
  expect(await lines(rows)).toBe('{"left_out":true}\n')
})
