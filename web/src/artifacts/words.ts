import { ARTIFACTS } from '../words/artifacts.ts'
import { ENGLISH } from '../words/english.ts'
import { wordsOf } from '../words/text.ts'

export const { text, counted, isText } = wordsOf({ ...ENGLISH, ...ARTIFACTS })
