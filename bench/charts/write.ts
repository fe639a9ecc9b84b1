import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { drawBars } from './bars.ts'
import { chartsOf, type ChartedFigures } from './charts-of-figures.ts'

const FIGURES = new URL('../figures.json', import.meta.url)
export const CHARTS = new URL('../../docs/charts/', import.meta.url)

/** The content of `docs/charts`. */
export async function drawCharts(): Promise<ReadonlyMap<string, string>> {
  const figures: ChartedFigures = JSON.parse(await readFile(FIGURES, 'utf8'))
  return new Map(Object.entries(chartsOf(figures)).map(([name, chart]) => [`${name}.svg`, drawBars(chart)]))
}

export async function writeCharts(): Promise<void> {
  await mkdir(CHARTS, { recursive: true })
  for (const [name, text] of await drawCharts()) await writeFile(new URL(name, CHARTS), text)
}

if (import.meta.main) await writeCharts()
