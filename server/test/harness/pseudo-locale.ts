import type { Catalogue } from '../../src/platform/messages/catalogue.ts'
import { english } from '../../src/platform/messages/english.ts'

/** A pseudo-locale of English: a text without these brackets is not from the catalogue. */
export const pseudo: Catalogue = {
  tag: 'en-XA',
  reasons: disguiseAll(english.reasons),
  causes: disguiseAll(english.causes),
  texts: disguiseAll(english.texts),
}

/** Phrases stay as they are: they are parts of messages that have the brackets. */
function disguiseAll(messages: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [name, name.startsWith('phrase.') ? message : `⟦${message}⟧`]),
  )
}
