import { germanCauses } from './german-causes.ts'
import { germanMails } from './german-mails.ts'
import { germanNotices } from './german-notices.ts'
import { germanPhrases } from './german-phrases.ts'
import { germanReasons } from './german-reasons.ts'
import { germanTexts } from './german-texts.ts'

export const german = {
  tag: 'de',
  reasons: germanReasons,
  causes: germanCauses,
  texts: { ...germanTexts, ...germanMails, ...germanNotices, ...germanPhrases },
} as const
