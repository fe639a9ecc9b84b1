import { NEW } from './workflow.ts'

export const NODE = { width: 124, height: 48 } as const
const GAP = { x: 64, y: 40 } as const
const EDGE = 28
/** So many beside each other at least, where nothing is reached yet. */
const FEWEST = 4

export interface Place {
  readonly key: string
  readonly x: number
  readonly y: number
}

export interface Graph {
  readonly width: number
  readonly height: number
  readonly places: readonly Place[]
}

interface Arrow {
  readonly from: string
  readonly to: string
}

/** From left to right by how many steps lead there; what none leads to stands below. */
export function layOut(keys: readonly string[], arrows: readonly Arrow[]): Graph {
  const { layers, left } = layersOf(keys, arrows)
  const tallest = Math.max(1, ...layers.map((layer) => layer.length))
  const columns = Math.max(layers.length, Math.min(left.length, FEWEST))
  // Bows lie below what they lead back from.
  const reached = 2 * EDGE + tallest * NODE.height + (tallest - 1) * GAP.y + GAP.y
  const xOf = (column: number) => EDGE + column * (NODE.width + GAP.x)
  const places = layers.flatMap((layer, column) => {
    const taken = layer.length * NODE.height + (layer.length - 1) * GAP.y
    return layer.map((key, row) => ({
      key,
      x: xOf(column),
      y: (reached - taken) / 2 + row * (NODE.height + GAP.y),
    }))
  })
  const others = left.map((key, at) => ({
    key,
    x: xOf(at % columns),
    y: reached + Math.floor(at / columns) * (NODE.height + GAP.y),
  }))
  const rows = Math.ceil(left.length / columns)
  return {
    width: xOf(columns) - GAP.x + EDGE,
    height: reached + rows * (NODE.height + GAP.y),
    places: [...places, ...others],
  }
}

function layersOf(keys: readonly string[], arrows: readonly Arrow[]): { layers: string[][]; left: string[] } {
  const left = new Set(keys)
  const layers: string[][] = [[NEW]]
  for (let last = [NEW]; last.length > 0 && left.size > 0; ) {
    const next = keys.filter((key) => left.has(key) && arrows.some(({ from, to }) => to === key && last.includes(from)))
    for (const key of next) left.delete(key)
    if (next.length > 0) layers.push(next)
    last = next
  }
  return { layers, left: [...left] }
}

type Point = readonly [x: number, y: number]
type Curve = readonly [Point, Point, Point, Point]

export interface Line {
  readonly path: string
  /** Half of the way. */
  readonly middle: Point
}

export function lineBetween(from: Place, to: Place): Line {
  const [start, out, into, end] = curveBetween(from, to)
  const half = (at: 0 | 1) => (start[at] + 3 * out[at] + 3 * into[at] + end[at]) / 8
  const path = `M${start.join(' ')} C${[out, into, end].map((point) => point.join(' ')).join(' ')}`
  return { path, middle: [half(0), half(1)] }
}

/** Forward as a wave, back as a bow below, and among those above each other straight or beside them. */
function curveBetween(from: Place, to: Place): Curve {
  if (to.x > from.x) {
    const [x1, y1, x2, y2] = [from.x + NODE.width, from.y + NODE.height / 2 - 6, to.x - 3, to.y + NODE.height / 2 - 6]
    // Over what stands between them.
    const lift = x2 - x1 > GAP.x ? NODE.height + GAP.y / 2 : 0
    const bend = GAP.x / 2
    return [
      [x1, y1],
      [x1 + bend, y1 - lift],
      [x2 - bend, y2 - lift],
      [x2, y2],
    ]
  }
  if (to.x < from.x) {
    const [x1, x2] = [from.x + NODE.width / 2 - 10, to.x + NODE.width / 2 + 10]
    const [y1, y2] = [from.y + NODE.height, to.y + NODE.height + 3]
    const depth = Math.max(y1, y2) + GAP.y
    return [
      [x1, y1],
      [x1, depth],
      [x2, depth],
      [x2, y2],
    ]
  }
  const isDown = to.y > from.y
  const x = from.x + NODE.width * (isDown ? 0.7 : 0.3)
  const [y1, y2] = isDown ? [from.y + NODE.height, to.y - 3] : [from.y, to.y + NODE.height + 3]
  const bow = Math.abs(y2 - y1) <= GAP.y ? 0 : (isDown ? 1 : -1) * NODE.width * 0.6
  return [
    [x, y1],
    [x + bow, y1],
    [x + bow, y2],
    [x, y2],
  ]
}
