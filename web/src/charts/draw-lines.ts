import UPlot from 'uplot'
// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to name
import 'uplot/dist/uPlot.min.css'
import type { SumScale } from '../field-types/field-type.ts'
import { endOfAxis } from './axis-end.ts'
import { dashOf } from './dashes.ts'
import { dayTicks } from './day-ticks.ts'
import { spreadNames } from './spread-names.ts'
import { stacked, type TimeSeries } from './time-series.ts'
import { locale } from '../messages/language.ts'

/** The values of CSS variables in the current theme. */
export interface ChartStyle {
  readonly lines: readonly string[]
  /** The colours of areas. */
  readonly areas: readonly string[]
  readonly ink: string
  readonly edge: string
  readonly font: string
  /** Areas on top of each other instead of lines. */
  readonly isStacked: boolean
}

interface Options {
  /** Absent: the values are numbers. */
  readonly scale?: SumScale | undefined
  /** The names beside the ends of the lines; absent: they stand above the chart. */
  readonly names?: readonly HTMLElement[] | undefined
  /** The day under the pointer, by its place. */
  readonly onDay: (day: number | undefined) => void
}

export interface DrawnLines {
  /** Makes all lines but one pale. */
  mark(line: number | undefined): void
  remove(): void
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6]
const PLOT_HEIGHT_PX = 240
const NAME_HEIGHT_PX = 22
const DAYS_HEIGHT_PX = 28
const DAY_WIDTH_PX = 90
/** The line from an end to its name. */
const LEADER_PX = 20
/** Half the width of the last day on the axis. */
const LAST_DAY_PX = 24
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Draws the chart into an element. */
export function drawLines(
  place: HTMLElement,
  { days, lines }: TimeSeries,
  looks: ChartStyle,
  { scale, names, onDay }: Options,
): DrawnLines {
  const { isStacked } = looks
  const heights = isStacked ? stacked(lines) : lines.map(({ values }) => values)
  const times = days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000)
  const axis = { stroke: looks.ink, font: looks.font, grid: { stroke: looks.edge, width: 1 }, ticks: { show: false } }
  const colorOf = (line: number) => looks.lines[line] ?? looks.ink
  let marked: number | undefined
  /** Places the names, and draws a line from each end to its name. */
  const connectNames = (plot: UPlot) => {
    if (!names) return
    const { left, top, width, height } = plot.bbox
    const ratio = UPlot.pxRatio
    const ends = heights.map((values, line) => {
      const own = values.at(-1) ?? 0
      const below = isStacked ? (heights[line + 1]?.at(-1) ?? 0) : own
      return plot.valToPos((own + below) / 2, 'y', true) / ratio
    })
    const centres = spreadNames(ends, {
      line: NAME_HEIGHT_PX,
      from: 0,
      to: (top + height) / ratio + NAME_HEIGHT_PX / 2,
    })
    const { ctx } = plot
    const start = left + width
    ctx.save()
    ctx.lineWidth = ratio
    ctx.setLineDash([])
    for (const [line, centre] of centres.entries()) {
      names[line]?.style.setProperty('--top', `${centre - NAME_HEIGHT_PX / 2}px`)
      ctx.globalAlpha = marked === undefined || marked === line ? 1 : 0.25
      ctx.strokeStyle = colorOf(line)
      ctx.beginPath()
      ctx.moveTo(start + 3 * ratio, (ends[line] ?? 0) * ratio)
      ctx.lineTo(start + LEADER_PX * ratio, centre * ratio)
      ctx.stroke()
    }
    ctx.restore()
  }
  const plot = new UPlot(
    {
      width: place.clientWidth,
      height: PLOT_HEIGHT_PX,
      padding: [NAME_HEIGHT_PX / 2, names ? LEADER_PX + 4 : LAST_DAY_PX, 0, null],
      // A day is the same in every time zone.
      tzDate: (at) => UPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { x: true, y: false, points: { show: false }, drag: { x: false, y: false } },
      focus: { alpha: 0.2 },
      hooks: {
        draw: [connectNames],
        setCursor: [({ cursor }) => onDay(cursor.idx ?? undefined)],
      },
      scales: { y: { range: (_, __, most) => [0, endOfAxis(most, scale?.steps ?? STEPS)] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          gap: 8,
          size: DAYS_HEIGHT_PX,
          splits: () =>
            dayTicks(times.length, Math.floor(place.clientWidth / DAY_WIDTH_PX)).map((day) => times[day] ?? 0),
          values: (_, ticks) => ticks.map((at) => short.format(new Date(at * 1000))),
        },
        {
          ...axis,
          size: scale ? 60 : 36,
          incrs: [...(scale?.steps ?? STEPS)],
          ...(scale && { values: (_, ticks) => ticks.map(scale.show) }),
        },
      ],
      // An area ends at the line below it.
      ...(isStacked && { bands: lines.slice(1).map((_, line) => ({ series: [line + 1, line + 2] })) }),
      series: [
        {},
        ...lines.map(({ label }, line) => ({
          label,
          stroke: colorOf(line),
          ...(isStacked ? { width: 1, fill: looks.areas[line] ?? looks.ink } : { width: 2, dash: [...dashOf(line)] }),
          points: { show: days.length < 3 },
        })),
      ],
    },
    [times, ...heights.map((values) => [...values])],
    place,
  )
  const sized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: PLOT_HEIGHT_PX }))
  sized.observe(place)
  return {
    mark(line) {
      marked = line
      plot.setSeries(line === undefined ? null : line + 1, { focus: true })
    },
    remove() {
      sized.disconnect()
      plot.destroy()
    },
  }
}
