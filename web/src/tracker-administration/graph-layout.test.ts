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

/** Points on the drawn line. */
function pointsOn({ points }: EdgeLine): (readonly [x: number, y: number])[] {
  return points.slice(1).flatMap(([x, y], at) => {
    const [fromX = 0, fromY = 0] = points[at] ?? []
    return Array.from({ length: 101 }, (_, part) => {
      const t = part / 100
      return [fromX + (x - fromX) * t, fromY + (y - fromY) * t] as const
    })
  })
}

/** The pieces of all lines that are horizontal, or vertical, with their ends. */
function pieces({ lines }: GraphLayout) {
  return lines.flatMap(({ from, to, points }) =>
    points.slice(1).map(([x, y], at) => {
      const [fromX = 0, fromY = 0] = points[at] ?? []
      const isLevel = fromY === y
      const ends = isLevel ? [fromX, x] : [fromY, y]
      return {
        line: `${from} → ${to}`,
        isLevel,
        at: isLevel ? y : x,
        least: Math.min(...ends),
        most: Math.max(...ends),
      }
    }),
  )
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

  test.each([3, 5, 8])('with %i states has no two arrows on one line', (count) => {
    const { keys, arrows } = someWorkflow(count, 5)
    const all = pieces(layOutGraph(keys, arrows))
    for (const [index, one] of all.entries())
      for (const other of all.slice(index + 1)) {
        const isSame = one.isLevel === other.isLevel && Math.abs(one.at - other.at) < 1
        const isApart = one.most <= other.least || other.most <= one.least
        expect([one.line, other.line, isSame && !isApart]).toEqual([one.line, other.line, false])
      }
  })

  test('puts each name where no other arrow crosses it', () => {
    const { keys, arrows } = someWorkflow(8, 5)
    const graph = layOutGraph(keys, arrows)
    const upright = pieces(graph).filter(({ isLevel }) => !isLevel)
    const named = graph.lines.filter(({ space }) => space > 0)
    expect(named.length).toBeGreaterThan(5)
    for (const { from, to, middle, space } of named)
      for (const { line, at, least, most } of upright) {
        const isCrossed = least < middle[1] && middle[1] < most && Math.abs(at - middle[0]) < space / 2 - 1
        expect([from, to, line, isCrossed]).toEqual([from, to, line, false])
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
