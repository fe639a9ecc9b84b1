import { ADMINISTRATION } from '../words/administration.ts'
import { ENGLISH } from '../words/english.ts'
import { REPOSITORIES } from '../words/repositories.ts'
import { SITE_SETTINGS } from '../words/site-settings.ts'
import { wordsOf } from '../words/text.ts'

const WORDS = { ...ENGLISH, ...REPOSITORIES, ...ADMINISTRATION, ...SITE_SETTINGS }

export type Text = keyof typeof WORDS
export const { text, counted, isText } = wordsOf(WORDS)
