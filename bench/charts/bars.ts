export interface ChartBar {
  readonly label: string
  readonly value: number
  /** The promised limit, drawn as a line across the bar. */
  readonly goal?: { readonly at: number; readonly isMost: boolean }
}

export interface Chart {
  readonly title: string
  readonly unit: string
  readonly bars: readonly ChartBar[]
}

const WIDTH = 720
const LABELS = 250
const VALUES = 90
const ROW = 26
const TOP = 44
const SCALE = WIDTH - LABELS - VALUES

/** Horizontal bars as an SVG for light and dark pages. A bar that misses its limit is striped. */
export function drawBars({ title, unit, bars }: Chart): string {
  const most = Math.max(...bars.flatMap(({ value, goal }) => [value, goal?.at ?? 0]))
  const height = TOP + bars.length * ROW + 12
  const rows = bars.map((bar, index) => drawBar(bar, { y: TOP + index * ROW, most, unit }))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2933 }
.title { font-weight: 600; font-size: 15px }
.value { font-variant-numeric: tabular-nums }
.kept { fill: #2f6f4f }
.missed { fill: url(#stripes) }
.goal { stroke: #b4531a; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #e4e7eb } .kept { fill: #6cc196 } .goal { stroke: #f0a36b } }
</style>
<defs><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="6" height="6" fill="#c98a5e"/><rect width="3" height="6" fill="#a8602f"/></pattern></defs>
<text class="title" x="0" y="18">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}

function drawBar(
  { label, value, goal }: ChartBar,
  { y, most, unit }: { y: number; most: number; unit: string },
): string {
  const isKept = !goal || (goal.isMost ? value <= goal.at : value >= goal.at)
  const length = (of: number) => Math.max(1, Math.round((of / most) * SCALE))
  const line = goal ? LABELS + length(goal.at) : 0
  return [
    `<text x="0" y="${y + 15}">${escaped(label)}</text>`,
    `<rect class="${isKept ? 'kept' : 'missed'}" x="${LABELS}" y="${y + 3}" width="${length(value)}" height="16" rx="2"/>`,
    ...(goal ? [`<line class="goal" x1="${line}" x2="${line}" y1="${y}" y2="${y + 22}"/>`] : []),
    `<text class="value" x="${LABELS + SCALE + 12}" y="${y + 15}">${value} ${escaped(unit)}</text>`,
  ].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
