import { ENGLISH } from '../words/english.ts'
import { TRACKERS } from '../words/trackers.ts'
import { wordsOf } from '../words/text.ts'

export const { text, counted, isText } = wordsOf({ ...ENGLISH, ...TRACKERS })
