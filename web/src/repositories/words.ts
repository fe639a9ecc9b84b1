import { ENGLISH } from '../words/english.ts'
import { REPOSITORIES } from '../words/repositories.ts'
import { wordsOf } from '../words/text.ts'

export const { text, counted, isText } = wordsOf({ ...ENGLISH, ...REPOSITORIES })
