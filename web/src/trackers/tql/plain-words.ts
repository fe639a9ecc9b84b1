import type { Tracker } from '@waypost/sdk/api'
import { filterOf, searchableFields } from './complete.ts'
import { quoted, tokenize } from './tokens.ts'
import { joinTerms } from './terms.ts'

/** How a query can begin that has no operator sign. */
const BEGINNING =
  /^(?:not\b|with(?:out)?\s+(?:parent|child)|is\s+(?:not\s+)?(?:linked|covered)|order\s+by|explain\b|as\s+of)/i

/** The typed text as a query: words without an operator have to be in the title or in another text, each of them. */
export function toQuery(typed: string, tracker: Tracker): string {
  const text = typed.trim()
  const tokens = tokenize(text)
  const isQuery =
    BEGINNING.test(text) || tokens.some(({ text: sign }) => ['=', '<', '>', '('].some((each) => sign.endsWith(each)))
  const words = isQuery ? [] : wordsIn(text)
  const terms = words.map((word) => termOfWord(word, tracker))
  return terms.length === 0 || terms.includes('') ? text : joinTerms(terms)
}

/** The word that a term of `toQuery` asks for; undefined: it is another term. */
export function wordOfTerm(term: string, tracker: Tracker): string | undefined {
  const [literal] = tokenize(term).filter(({ kind }) => kind === 'text')
  const word = literal?.text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  return word !== undefined && term === termOfWord(word, tracker) ? word : undefined
}

/** In parentheses, because it is one term beside others. Empty: the tracker has no texts. */
function termOfWord(word: string, tracker: Tracker): string {
  const names = searchableFields(tracker)
    .filter((field) => filterOf(field).isContained)
    .map(({ name }) => name)
  return names.length === 0 ? '' : `(${names.map((name) => `${name} = ${quoted(word)}`).join(' OR ')})`
}

/** Words, and phrases in quotes. */
function wordsIn(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"?|[^\s"]+/g)].map(([whole, phrase]) => phrase ?? whole)
}
