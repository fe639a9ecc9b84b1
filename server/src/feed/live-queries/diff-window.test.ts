import { expect, test } from 'vitest'
import { createRepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import { toId } from '../../platform/database/ids.ts'
import { replaceRows, type ResultRow } from './result-buffer.ts'
import { diffWindow } from './diff-window.ts'

const row = (id: number, key: number, version = 1): ResultRow => ({
  id: toId<ArtifactId>(id),
  place: [key, id],
  version,
})
const compare = ({ place: one }: ResultRow, { place: other }: ResultRow) =>
  Number(one[0]) - Number(other[0]) || Number(one[1]) - Number(other[1])

/** The part of a row that a client knows. */
const known = ({ id, version }: ResultRow) => [id, version]

/** Applies changes as a client does. */
function apply(before: readonly ResultRow[], steps: ReturnType<typeof diffWindow>): ResultRow[] {
  const rows = [...before]
  for (const step of steps) {
    const at = rows.findIndex(({ id }) => id === step.row.id)
    if (at >= 0) rows.splice(at, 1)
    if (step.event !== 'leave') rows.splice(step.position, 0, step.row)
  }
  return rows
}

test('applying all changes in order gives the new rows', () => {
  const random = createRepeatableRandom('difference')
  for (let turn = 0; turn < 2000; turn++) {
    const all = Array.from({ length: random.integer(0, 12) }, (_, at) => row(at + 1, random.integer(0, 6)))
    const before = all.toSorted(compare)
    const looks = new Map(
      Array.from({ length: random.integer(0, 5) }, () => {
        const changed = row(random.integer(1, 16), random.integer(0, 6), random.integer(1, 2))
        return [changed.id, random.chance(0.3) ? undefined : changed] as const
      }),
    )
    const after = replaceRows({ rows: before, isComplete: true }, looks, compare)
    const wanted = [
      ...all.filter(({ id }) => !looks.has(id)),
      ...[...looks.values()].filter((each) => each !== undefined),
    ]
    expect(after).toEqual(wanted.toSorted(compare))
    const limit = random.integer(1, 8)
    const [shown, next] = [before.slice(0, limit), after.slice(0, limit)]
    expect(apply(shown, diffWindow(shown, next)).map(known)).toEqual(next.map(known))
  }
})

test('a row that moves far is reported once, and its neighbours are not', () => {
  const before = [1, 2, 3, 4, 5].map((id) => row(id, id))
  const moved = row(1, 9, 2)
  const after = [...before.slice(1), moved]
  expect(diffWindow(before, after)).toEqual([{ event: 'change', row: moved, position: 4 }])
})

test('a row that was rechecked and is unchanged is not reported', () => {
  const before = [1, 2, 3].map((id) => row(id, id))
  expect(diffWindow(before, [...before])).toEqual([])
})

test('a row that belongs after the last known row is not inserted', () => {
  const rows = [row(1, 1), row(2, 2)]
  const looks = new Map([[toId<ArtifactId>(3), row(3, 3)]])
  expect(replaceRows({ rows, isComplete: false }, looks, compare)).toEqual(rows)
})
