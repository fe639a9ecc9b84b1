import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { drawBars } from './bars.ts'
import { CHARTS, drawCharts } from './write.ts'

test('the charts of the manual match the stored figures', async () => {
  const drawn = await drawCharts()
  expect(drawn.size).toBeGreaterThan(2)
  for (const [name, text] of drawn) expect(await readFile(new URL(name, CHARTS), 'utf8'), name).toBe(text)
})

test('a bar that misses its limit is striped, others are not', () => {
  const chart = (value: number) =>
    drawBars({ title: 'T', unit: 'ms', bars: [{ label: 'a < b', value, goal: { at: 200, isMost: true } }] })
  expect(chart(201)).toContain('class="missed"')
  expect(chart(200)).toContain('class="kept"')
  expect(chart(200)).toContain('a &lt; b')
})
