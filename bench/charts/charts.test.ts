import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { drawBars } from './bars.ts'
import { CHARTS, drawCharts } from './write.ts'

test('the charts of the manual are drawn from the figures that are kept', async () => {
  const drawn = await drawCharts()
  expect(drawn.size).toBeGreaterThan(2)
  for (const [name, text] of drawn) expect(await readFile(new URL(name, CHARTS), 'utf8'), name).toBe(text)
})

test('a bar that misses its promise is striped, one that keeps it is not', () => {
  const chart = (value: number) =>
    drawBars({ title: 'T', unit: 'ms', bars: [{ label: 'a < b', value, goal: { at: 200, isMost: true } }] })
  expect(chart(201)).toContain('class="missed"')
  expect(chart(200)).toContain('class="kept"')
  expect(chart(200)).toContain('a &lt; b')
})
