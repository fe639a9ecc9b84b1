import { BOARD } from '../words/board.ts'
import { ENGLISH } from '../words/english.ts'
import { wordsOf } from '../words/text.ts'
import { TRACKERS } from '../words/trackers.ts'

export const { text, counted, isText } = wordsOf({ ...ENGLISH, ...TRACKERS, ...BOARD })
