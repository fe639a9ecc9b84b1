import type { Catalogue } from '../src/platform/words/catalogue.ts'
import { english } from '../src/platform/words/english.ts'

/** English in disguise: a text that is shown without these brackets did not come from the catalogue. */
export const pseudo: Catalogue = {
  tag: 'en-XA',
  reasons: disguiseAll(english.reasons),
  causes: disguiseAll(english.causes),
  texts: Object.fromEntries(Object.entries(english.texts).map(([name, words]) => [name, `⟦${words}⟧`])),
}

type Sentences = Record<string, (details: never) => string>

function disguiseAll<T extends Sentences>(sentences: T): T {
  const disguised: Sentences = {}
  for (const [name, sentence] of Object.entries(sentences)) disguised[name] = (details) => `⟦${sentence(details)}⟧`
  return { ...sentences, ...disguised }
}
