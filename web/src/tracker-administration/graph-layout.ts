import { NEW } from './workflow.ts'

export const NODE = { width: 124, height: 48 } as const
const GAP = { x: 48, y: 32 } as const
const MARGIN_PX = 24
/** The distance between arrows above or below the states. */
const LANE_PX = 28
/** The distance from the states to the nearest of them. */
const FIRST_LANE_PX = 26
const CORNER_PX = 8
/** The head of an arrow ends before the border. */
const HEAD_PX = 3
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
  /** The place of the name. */
  readonly middle: Point
  /** The space for the name, which no other arrow crosses. */
  readonly space: number
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  readonly places: readonly NodePosition[]
  readonly lines: readonly EdgeLine[]
}

/**
 * Connected states in one row, in their order; unconnected ones in a grid below. An arrow to the next state is straight.
 * Others run in lanes: forward above the row, back below it. So no arrow meets a state that it does not belong to.
 */
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

/** An arrow by the places of its states in the row. */
interface Route extends Arrow {
  readonly start: number
  readonly end: number
}

interface LaneRoute extends Route {
  readonly isForward: boolean
  /** 0 is next to the states. */
  readonly lane: number
}

function layOutFlow(keys: readonly string[], arrows: readonly Arrow[]): GraphLayout {
  const placeOf = new Map(keys.map((key, at) => [key, at]))
  const routes = arrows.map(
    ({ from, to }): Route => ({ from, to, start: placeOf.get(from) ?? 0, end: placeOf.get(to) ?? 0 }),
  )
  const straight = routes.filter(({ start, end }) => end === start + 1)
  const above = assignLanes(routes.filter(({ start, end }) => end > start + 1))
  const below = assignLanes(routes.filter(({ start, end }) => end < start))
  const top = MARGIN_PX + laneHeight(above)
  const places = keys.map((key, at) => ({ key, x: MARGIN_PX + at * (NODE.width + GAP.x), y: top }))
  const drawn = [
    ...straight.map((route) => drawStraight(route, places)),
    ...drawLanes(above, places),
    ...drawLanes(below, places),
  ]
  const lineOf = new Map(drawn.map((line) => [`${line.from} ${line.to}`, line]))
  return {
    width: 2 * MARGIN_PX + keys.length * (NODE.width + GAP.x) - GAP.x,
    height: top + NODE.height + laneHeight(below) + MARGIN_PX,
    places,
    lines: withSpace(arrows.flatMap(({ from, to }) => lineOf.get(`${from} ${to}`) ?? [])),
  }
}

/** Short arrows are next to the states; arrows in one lane do not overlap. */
function assignLanes(routes: readonly Route[]): readonly LaneRoute[] {
  const span = ({ start, end }: Route) => [Math.min(start, end), Math.max(start, end)] as const
  const length = ({ start, end }: Route) => Math.abs(end - start)
  const lanes: Route[][] = []
  const ordered = routes.toSorted((one, other) => length(one) - length(other) || one.start - other.start)
  return ordered.map((route) => {
    const [from, to] = span(route)
    const isFree = (lane: readonly Route[]) =>
      lane.every((other) => {
        const [otherFrom, otherTo] = span(other)
        return to <= otherFrom || otherTo <= from
      })
    const free = lanes.findIndex(isFree)
    const lane = free === -1 ? lanes.length : free
    lanes[lane] = [...(lanes[lane] ?? []), route]
    return { ...route, isForward: route.end > route.start, lane }
  })
}

function laneHeight(routes: readonly LaneRoute[]): number {
  if (routes.length === 0) return 0
  return FIRST_LANE_PX + Math.max(...routes.map(({ lane }) => lane)) * LANE_PX + LANE_PX / 2
}

type Drawn = Omit<EdgeLine, 'space'>

function drawStraight({ from, to, start, end }: Route, places: readonly NodePosition[]): Drawn {
  const { x = 0, y = 0 } = places[start] ?? {}
  const middle = y + NODE.height / 2
  const points: Point[] = [
    [x + NODE.width, middle],
    [(places[end]?.x ?? 0) - HEAD_PX, middle],
  ]
  return { from, to, points, path: roundPath(points), middle: [x + NODE.width + GAP.x / 2 - HEAD_PX, middle] }
}

/** Arrows on one side of the row. Their ends are spread over the side of each state so that arrows cross as little as possible. */
function drawLanes(routes: readonly LaneRoute[], places: readonly NodePosition[]): Drawn[] {
  const starts = new Map<LaneRoute, number>()
  const ends = new Map<LaneRoute, number>()
  for (const [at, { x }] of places.entries()) {
    const arriving = routes.filter(({ end }) => end === at).toSorted((one, other) => one.lane - other.lane)
    const leaving = routes.filter(({ start }) => start === at).toSorted((one, other) => other.lane - one.lane)
    // Arrows back are a mirror image: they arrive at the right half of a state.
    const ports = [
      ...arriving.map((route) => ({ route, into: ends })),
      ...leaving.map((route) => ({ route, into: starts })),
    ]
    if (routes[0]?.isForward === false) ports.reverse()
    for (const [port, { route, into }] of ports.entries())
      into.set(route, x + (NODE.width * (port + 1)) / (ports.length + 1))
  }
  return routes.map((route) => {
    const { from, to, isForward, lane } = route
    const { y = 0 } = places[0] ?? {}
    const border = isForward ? y : y + NODE.height
    const outward = isForward ? -1 : 1
    const height = border + outward * (FIRST_LANE_PX + lane * LANE_PX)
    const [start, end] = [starts.get(route) ?? 0, ends.get(route) ?? 0]
    const points: Point[] = [
      [start, border],
      [start, height],
      [end, height],
      [end, border + outward * HEAD_PX],
    ]
    return { from, to, points, path: roundPath(points), middle: [(start + end) / 2, height] }
  })
}

/** Puts each name where the most of its lane is free of other arrows. */
function withSpace(lines: readonly Drawn[]): EdgeLine[] {
  return lines.map((line) => {
    const [, corner, other] = line.points
    if (line.points.length < 4 || !corner || !other) return { ...line, space: 0 }
    const [from, to] = [Math.min(corner[0], other[0]), Math.max(corner[0], other[0])]
    const crossing = lines
      .filter((each) => each !== line)
      .flatMap(({ points }) => upright(points))
      .filter(({ x, top, bottom }) => from < x && x < to && top < line.middle[1] && line.middle[1] < bottom)
      .map(({ x }) => x)
    const edges = [from, ...crossing.toSorted((one, another) => one - another), to]
    const pieces = edges.slice(1).map((x, at) => ({ x: edges[at] ?? x, width: x - (edges[at] ?? x) }))
    const best = pieces.reduce((one, another) => (another.width > one.width + 1 ? another : one))
    return { ...line, middle: [best.x + best.width / 2, line.middle[1]], space: best.width }
  })
}

/** The vertical pieces of a line. */
function upright(points: readonly Point[]): { readonly x: number; readonly top: number; readonly bottom: number }[] {
  return points.slice(1).flatMap(([x, y], at) => {
    const [beforeX = x, beforeY = y] = points[at] ?? []
    return beforeX === x ? [{ x, top: Math.min(y, beforeY), bottom: Math.max(y, beforeY) }] : []
  })
}

/** Straight pieces with round corners. */
function roundPath(points: readonly Point[]): string {
  return points
    .map(([x, y], at) => {
      const before = points[at - 1]
      const after = points[at + 1]
      if (!before) return `M${x} ${y}`
      if (!after) return `L${x} ${y}`
      const [fromX, fromY] = towards([x, y], before)
      const [toX, toY] = towards([x, y], after)
      return `L${fromX} ${fromY} Q${x} ${y} ${toX} ${toY}`
    })
    .join(' ')
}

/** A point near the corner, in the direction of another one. */
function towards([x, y]: Point, [otherX, otherY]: Point): Point {
  const distance = Math.max(1, Math.hypot(otherX - x, otherY - y))
  const share = Math.min(CORNER_PX, distance / 2) / distance
  return [x + (otherX - x) * share, y + (otherY - y) * share]
}
