import { describe, expect, test } from 'vitest'
import { type EdgeLine, type GraphLayout, layOutGraph, NODE } from './graph-layout.ts'
import { NEW } from './workflow.ts'

const arrow = (from: string, to: string) => ({ from, to })
const states = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`)

/** A repeatable workflow in which about one pair in three is connected. */
function someWorkflow(count: number, seed: number) {
  const keys = states(count)
  let state = seed
  const isConnected = () => {
    state = (state * 16_807) % 2_147_483_647
    return state % 3 === 0
  }
  const pairs = keys.flatMap((from) => keys.filter((to) => to !== from).map((to) => arrow(from, to)))
  return { keys, arrows: [arrow(NEW, 's0'), ...pairs.filter(isConnected)] }
}

/** Points on the drawn curve; its segments are horizontal at both ends. */
function pointsOn({ points }: EdgeLine): (readonly [x: number, y: number])[] {
  return points.slice(1).flatMap(([x, y], at) => {
    const [fromX = 0, fromY = 0] = points[at] ?? []
    return Array.from({ length: 21 }, (_, part) => {
      const t = part / 20
      const half = (fromX + x) / 2
      const along = (a: number, b: number, c: number, d: number) =>
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d
      return [along(fromX, half, half, x), along(fromY, fromY, y, y)] as const
    })
  })
}

function crossedBoxes({ places, lines }: GraphLayout): string[] {
  return lines.flatMap((line) =>
    places
      .filter(({ x, y }) =>
        pointsOn(line).some(
          ([px, py]) => px > x + 1 && px < x + NODE.width - 1 && py > y + 1 && py < y + NODE.height - 1,
        ),
      )
      .map(({ key }) => `${line.from} → ${line.to} crosses ${key}`),
  )
}

describe('the graph of a workflow', () => {
  test.each([2, 3, 5, 8, 12])('with %i states has no arrow through a box', (count) => {
    for (const seed of [1, 2, 3, 4]) {
      const { keys, arrows } = someWorkflow(count, seed)
      const graph = layOutGraph(keys, arrows)
      expect(graph.lines).toHaveLength(arrows.length)
      expect(crossedBoxes(graph)).toEqual([])
    }
  })

  test('routes an arrow that skips a state around it, and the way back on another line', () => {
    const arrows = [arrow(NEW, 'open'), arrow('open', 'done'), arrow(NEW, 'done'), arrow('done', 'open')]
    const graph = layOutGraph(['open', 'done'], arrows)
    expect(crossedBoxes(graph)).toEqual([])
    const [, there, , back] = graph.lines
    expect(Math.abs((there?.middle[1] ?? 0) - (back?.middle[1] ?? 0))).toBeGreaterThanOrEqual(20)
  })

  test('starts with the new artifact on the left, and keeps everything inside', () => {
    const { keys, arrows } = someWorkflow(6, 7)
    const { width, height, places, lines } = layOutGraph([...keys, 'apart', 'alone'], arrows)
    const left = Math.min(...places.map(({ x }) => x))
    expect(places.find(({ key }) => key === NEW)?.x).toBe(left)
    expect(places.map(({ key }) => key).toSorted()).toEqual([NEW, ...keys, 'apart', 'alone'].toSorted())
    for (const { x, y } of places) {
      expect(x + NODE.width).toBeLessThan(width)
      expect(y + NODE.height).toBeLessThan(height)
    }
    for (const [x, y] of lines.flatMap(pointsOn)) {
      expect([x > 0, x < width, y > 0, y < height]).toEqual([true, true, true, true])
    }
  })

  test('without any transition is a grid', () => {
    const { places, lines } = layOutGraph(states(6), [])
    expect(lines).toEqual([])
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(7)
  })

  test('ignores a transition of a value that is not drawn', () => {
    expect(layOutGraph(['open'], [arrow('gone', 'open')]).lines).toEqual([])
  })
})
