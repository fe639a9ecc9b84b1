import { expect, test } from 'vitest'
import { createRepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { IdSet } from './id-set.ts'

test('an id set has the members that a Set has, for dense and sparse ids', () => {
  const random = createRepeatableRandom('ids')
  const [ids, model] = [new IdSet(), new Set<number>()]
  for (let turn = 0; turn < 5000; turn++) {
    const id = random.pick([random.integer(0, 100), random.integer(0, 100_000), Number.MAX_SAFE_INTEGER - turn])
    if (random.chance(0.6)) {
      ids.add(id)
      model.add(id)
    } else {
      ids.delete(id)
      model.delete(id)
    }
    expect([ids.has(id), ids.size]).toEqual([model.has(id), model.size])
  }
  for (const id of model) expect(ids.has(id)).toBe(true)
})

test('an id set is filled from bitmap words of the database', () => {
  const ids = new IdSet([
    { word: 0, bits: 0b110 },
    { word: 3125, bits: 2 ** 31 + 1 },
  ])
  expect([1, 2, 100_000, 100_031].map((id) => ids.has(id))).toEqual([true, true, true, true])
  expect([ids.size, ids.has(0), ids.has(3)]).toEqual([4, false, false])
})
