import { ENGLISH } from '../words/english.ts'
import { wordsOf } from '../words/text.ts'
import { TRACKER_ADMINISTRATION } from '../words/tracker-administration.ts'

const WORDS = { ...ENGLISH, ...TRACKER_ADMINISTRATION }

export type Text = keyof typeof WORDS
export const { text, counted, isText } = wordsOf(WORDS)
