import { englishCauses } from './english-causes.ts'
import { englishMails } from './english-mails.ts'
import { englishNotices } from './english-notices.ts'
import { englishPhrases } from './english-phrases.ts'
import { englishReasons } from './english-reasons.ts'
import { englishTexts } from './english-texts.ts'

/** The complete catalogue. Its keys are those of every language. */
export const english = {
  tag: 'en',
  reasons: englishReasons,
  causes: englishCauses,
  texts: { ...englishTexts, ...englishMails, ...englishNotices, ...englishPhrases },
} as const

export type TextName = keyof typeof english.texts
export type PhraseName = keyof typeof englishPhrases
