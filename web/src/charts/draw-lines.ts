import UPlot from 'uplot'
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to name
import 'uplot/dist/uPlot.min.css'
import type { SumScale } from '../field-types/field-type.ts'
import { stacked, type TimeSeries } from './time-series.ts'
import { locale } from '../messages/language.ts'

/** The values of CSS variables in the current theme. */
export interface ChartStyle {
  readonly lines: readonly string[]
  readonly ink: string
  readonly edge: string
  readonly font: string
  /** Areas on top of each other instead of lines. */
  readonly isStacked: boolean
}

const DASHES = [[], [8, 4], [2, 4]]
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6]
const HEIGHT_PX = 240
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Draws the chart into an element; returns a function that removes it. */
export function drawLines(
  place: HTMLElement,
  { days, lines }: TimeSeries,
  looks: ChartStyle,
  scale?: SumScale,
): () => void {
  const heights = looks.isStacked ? stacked(lines) : lines.map(({ values }) => values)
  const axis = { stroke: looks.ink, font: looks.font, grid: { stroke: looks.edge, width: 1 }, ticks: { show: false } }
  const plot = new UPlot(
    {
      width: place.clientWidth,
      height: HEIGHT_PX,
      // A day is the same in every time zone.
      tzDate: (at) => UPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          space: 90,
          values: (_, ticks) => ticks.map((at) => short.format(new Date(at * 1000))),
        },
        {
          ...axis,
          size: scale ? 60 : 36,
          incrs: [...(scale?.steps ?? STEPS)],
          ...(scale && { values: (_, ticks) => ticks.map(scale.show) }),
        },
      ],
      series: [
        {},
        ...lines.map(({ label }, index) => ({
          label,
          stroke: looks.lines[index] ?? looks.ink,
          ...(looks.isStacked
            ? { width: 1, fill: looks.lines[index] ?? looks.ink }
            : { width: 2, dash: DASHES[index % DASHES.length] ?? [] }),
          points: { show: days.length < 3 },
        })),
      ],
    },
    [days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000), ...heights.map((values) => [...values])],
    place,
  )
  const sized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT_PX }))
  sized.observe(place)
  return () => {
    sized.disconnect()
    plot.destroy()
  }
}
