import { parseDuration } from '../field-types/duration/duration-text.ts'
import type { FieldSearch } from './field-search.ts'
import { INDEXED, type Notation, numberComparisons, rangeIn } from './number-search.ts'

const DURATION: Notation = { read: parseDuration, fromTo: /^([^-]+)-([^-]+)$/, cause: 'duration' }

/** Search for durations, which the index holds in minutes. Unlike numbers, they have no pattern. */
export const durationSearch: FieldSearch = {
  operators: ['contains'],
  async criterion({ value }, element) {
    const range = rangeIn(value, DURATION)
    return range && INDEXED.within(range, element)
  },
  ...numberComparisons(INDEXED, DURATION),
  sort: ({ id }) => ({ kind: 'number', field: id, unit: 'number' }),
  isSummable: true,
}
