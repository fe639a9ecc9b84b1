import { Graph, layout } from '@dagrejs/dagre'
import { NEW } from './workflow.ts'

export const NODE = { width: 124, height: 48 } as const
const GAP = { x: 48, y: 32 } as const
const MARGIN_PX = 24
/** The diameter of the knob on an arrow, with space around it. */
const KNOB_PX = 20
/** The minimum width of the grid when no node is connected. */
const MIN_COLUMNS = 4

export interface NodePosition {
  readonly key: string
  readonly x: number
  readonly y: number
}

interface Arrow {
  readonly from: string
  readonly to: string
}

type Point = readonly [x: number, y: number]

export interface EdgeLine extends Arrow {
  readonly points: readonly Point[]
  readonly path: string
  /** The place of the knob. */
  readonly middle: Point
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  readonly places: readonly NodePosition[]
  readonly lines: readonly EdgeLine[]
}

/** Connected nodes in layers from left to right, with arrows around the boxes; unconnected nodes in a grid below. */
export function layOutGraph(keys: readonly string[], arrows: readonly Arrow[]): GraphLayout {
  const known = new Set([NEW, ...keys])
  const drawn = arrows.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to)
  const connected = new Set([NEW, ...drawn.flatMap(({ from, to }) => [from, to])])
  const flow = layOutFlow(
    [...known].filter((key) => connected.has(key)),
    drawn,
  )

  const others = keys.filter((key) => !connected.has(key))
  const step = { x: NODE.width + GAP.x, y: NODE.height + GAP.y }
  const fitting = Math.floor((flow.width - 2 * MARGIN_PX + GAP.x) / step.x)
  const columns = Math.max(fitting, Math.min(others.length, MIN_COLUMNS))
  const grid = others.map((key, at) => ({
    key,
    x: MARGIN_PX + (at % columns) * step.x,
    y: flow.height + Math.floor(at / columns) * step.y,
  }))
  return {
    width: Math.max(flow.width, ...grid.map(({ x }) => x + NODE.width + MARGIN_PX)),
    height: Math.max(flow.height, ...grid.map(({ y }) => y + NODE.height + MARGIN_PX)),
    places: [...flow.places, ...grid],
    lines: flow.lines,
  }
}

/** An edge after the layout; x and y are the place of its label. */
interface Routed {
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly x: number
  readonly y: number
}

function layOutFlow(keys: readonly string[], arrows: readonly Arrow[]): GraphLayout {
  const graph = new Graph()
  graph.setGraph({
    rankdir: 'LR',
    nodesep: GAP.y,
    ranksep: GAP.x,
    edgesep: KNOB_PX,
    marginx: MARGIN_PX,
    marginy: MARGIN_PX,
  })
  for (const key of keys) graph.setNode(key, { ...NODE })
  for (const { from, to } of arrows) graph.setEdge(from, to, { width: KNOB_PX, height: KNOB_PX, labelpos: 'c' })
  layout(graph)

  const places = keys.map((key) => {
    const { x, y } = graph.node(key)
    return { key, x: x - NODE.width / 2, y: y - NODE.height / 2 }
  })
  const routes = arrows.map(({ from, to }) => {
    const { points, x, y }: Routed = graph.edge(from, to)
    const inner = points.slice(1, -1).map((point): Point => [point.x, point.y])
    return { from, to, inner, middle: [x, y] as const }
  })
  const { width = 0, height = 0 } = graph.graph()
  return { width, height, places, lines: connect(places, routes) }
}

type Route = Arrow & Pick<EdgeLine, 'middle'> & { readonly inner: readonly Point[] }

/** Adds the ends of each route: on the sides of its boxes, spread in the order in which the lines arrive. */
function connect(places: readonly NodePosition[], routes: readonly Route[]): EdgeLine[] {
  const placeOf = new Map(places.map((place) => [place.key, place]))
  const ends = routes.flatMap((route) => [
    { route, key: route.from, isStart: true, next: route.inner[0] ?? route.middle },
    { route, key: route.to, isStart: false, next: route.inner.at(-1) ?? route.middle },
  ])
  const sideOf = ({ key, next }: (typeof ends)[number]) => (next[0] > (placeOf.get(key)?.x ?? 0) ? 'right' : 'left')
  const starts = new Map<Route, Point>()
  const stops = new Map<Route, Point>()
  for (const side of Map.groupBy(ends, (end) => `${sideOf(end)} ${end.key}`).values())
    for (const [at, end] of side.toSorted((one, other) => one.next[1] - other.next[1]).entries()) {
      const { x = 0, y = 0 } = placeOf.get(end.key) ?? {}
      const port = y + (NODE.height * (at + 1)) / (side.length + 1)
      const isRight = sideOf(end) === 'right'
      // The head of an arrow ends before the border.
      const gap = end.isStart ? 0 : 3
      const point: Point = [isRight ? x + NODE.width + gap : x - gap, port]
      if (end.isStart) starts.set(end.route, point)
      else stops.set(end.route, point)
    }
  return routes.map((route) => {
    const { from, to, inner, middle } = route
    const points = [
      starts.get(route) ?? middle,
      ...inner.flatMap((point) => pastBoxes(places, point, (starts.get(route)?.[0] ?? 0) < middle[0])),
      stops.get(route) ?? middle,
    ]
    return { from, to, middle, points, path: smooth(points) }
  })
}

/** A point above or below a box becomes two, so that the line bends only in the gaps between layers. */
function pastBoxes(places: readonly NodePosition[], [x, y]: Point, isForward: boolean): readonly Point[] {
  const box = places.find((place) => place.x <= x && x <= place.x + NODE.width)
  if (!box) return [[x, y]]
  const ends: readonly Point[] = [
    [box.x, y],
    [box.x + NODE.width, y],
  ]
  return isForward ? ends : ends.toReversed()
}

/** A curve through all points that is horizontal in each of them. */
function smooth(points: readonly Point[]): string {
  return points
    .map(([x, y], at) => {
      const before = points[at - 1]
      if (!before) return `M${x} ${y}`
      const half = (before[0] + x) / 2
      return `C${half} ${before[1]} ${half} ${y} ${x} ${y}`
    })
    .join(' ')
}
