import type { BoardColumn, Layout } from './board-layout.ts'

interface CardPosition {
  readonly lane: number
  readonly column: number
  readonly index: number
}

export type Direction = 'up' | 'down' | 'left' | 'right' | 'first' | 'last'

/** The card that an arrow key moves to; undefined at the edge. */
export function adjacentCard(layout: Layout, id: number, direction: Direction): number | undefined {
  const spot = findCardPosition(layout, id)
  if (!spot) return undefined
  switch (direction) {
    case 'up':
      return stepWithinColumn(layout, spot, -1) ?? inOtherLane(layout, spot, -1)
    case 'down':
      return stepWithinColumn(layout, spot, 1) ?? inOtherLane(layout, spot, 1)
    case 'left':
      return inOtherColumn(layout, spot, -1)
    case 'right':
      return inOtherColumn(layout, spot, 1)
    case 'first':
      return layout.lanes.flatMap(({ cells }) => cells[spot.column] ?? [])[0]?.id
    case 'last':
      return layout.lanes.flatMap(({ cells }) => cells[spot.column] ?? []).at(-1)?.id
    default:
      return direction satisfies never
  }
}

/** The next or the previous card, column by column. */
export function neighbourCard({ lanes, columns }: Layout, id: number, by: 1 | -1): number | undefined {
  const cards = columns.flatMap((_, column) => lanes.flatMap(({ cells }) => cells[column] ?? []))
  const at = cards.findIndex((card) => card.id === id)
  return at < 0 ? undefined : cards[at + by]?.id
}

/** The layout without the cards of some columns, which are not shown. */
export function withoutColumns({ columns, lanes }: Layout, isHidden: (key: BoardColumn['key']) => boolean): Layout {
  const hidden = columns.map(({ key }) => isHidden(key))
  return {
    columns,
    lanes: lanes.map((lane) => ({ ...lane, cells: lane.cells.map((cards, column) => (hidden[column] ? [] : cards)) })),
  }
}

export function firstCard({ lanes, columns }: Layout): number | undefined {
  return columns.flatMap((_, column) => lanes.flatMap(({ cells }) => cells[column] ?? []))[0]?.id
}

export function findCardPosition({ lanes }: Layout, id: number): CardPosition | undefined {
  for (const [lane, { cells }] of lanes.entries())
    for (const [column, cards] of cells.entries()) {
      const index = cards.findIndex((card) => card.id === id)
      if (index >= 0) return { lane, column, index }
    }
  return undefined
}

function stepWithinColumn({ lanes }: Layout, { lane, column, index }: CardPosition, step: number): number | undefined {
  return lanes[lane]?.cells[column]?.[index + step]?.id
}

function inOtherLane({ lanes }: Layout, { lane, column }: CardPosition, step: number): number | undefined {
  for (let next = lane + step; next >= 0 && next < lanes.length; next += step) {
    const cards = lanes[next]?.cells[column] ?? []
    if (cards.length > 0) return cards.at(step > 0 ? 0 : -1)?.id
  }
  return undefined
}

/** In the same lane if possible; else any card of that column. */
function inOtherColumn(
  { lanes, columns }: Layout,
  { lane, column, index }: CardPosition,
  step: number,
): number | undefined {
  for (let next = column + step; next >= 0 && next < columns.length; next += step) {
    const beside = lanes[lane]?.cells[next] ?? []
    const cards = beside.length > 0 ? beside : lanes.flatMap(({ cells }) => cells[next] ?? [])
    if (cards.length > 0) return cards[Math.min(index, cards.length - 1)]?.id
  }
  return undefined
}
