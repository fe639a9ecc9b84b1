import { parseDuration } from '../field-types/duration/duration-text.ts'
import type { FieldSearch } from './field-search.ts'
import { amountSearch } from './number-search.ts'

/** Search for durations, which the index holds in minutes. */
export const durationSearch: FieldSearch = amountSearch({
  read: parseDuration,
  fromTo: /^([^-]+)-([^-]+)$/,
  cause: 'duration',
})
