export interface ParsedReference {
  /** The offset in the text. */
  readonly at: number
  /** As written, without the preceding word. */
  readonly text: string
  /** In lower case. */
  readonly keyword: string
  /** The short name or id of another project; `''` if none is given. */
  readonly project: string
  readonly value: string
  /** The preceding word that names an action, as in `closes art #7`; `''` if there is none. */
  readonly context: string
}

const MAX_RUN_LENGTH = 5000
const MAX_REFERENCES = 10_000 // More than the longest artifact text can contain; parsing blocks the event loop.

// Each part has exactly one possible match, so the expression runs in linear time.
const REFERENCE =
  /(?<!\w)(?:(?<context>\w+)\s)?(?<text>(?<keyword>\w+)\s#(?:(?<project>[\w-]+):)?(?<value>(?:[\w&.-]+\/)*[\w&]+)(?![\w&/]))/g

/** In every reference, and rare elsewhere: most texts need only this search, which is much cheaper. */
const SIGN = /\w\s#/

const CLOSING = /^(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)|implement(?:s|ed)?)$/i

/** The references of a text, in order and limited in number: `art #12`, `bug #orchard:12`, `svn #core/318`. */
export function parseReferences(text: string): ParsedReference[] {
  if (!SIGN.test(text) || hasEndlessRun(text)) return []
  const found = text.matchAll(REFERENCE).take(MAX_REFERENCES)
  return found.map(({ 0: { length }, index, groups }) => toReference(groups ?? {}, index + length)).toArray()
}

function toReference(groups: Record<string, string>, end: number): ParsedReference {
  const { text = '', keyword = '', project = '', value = '', context = '' } = groups
  const closing = CLOSING.test(context) ? context : ''
  return { at: end - text.length, text, keyword: keyword.toLowerCase(), project, value, context: closing }
}

const MAX_CLOSING_LENGTH = 12

/** The word directly before this offset that names an action, as in `closes ABC-123`; `''` if there is none. */
export function closingWordBefore(text: string, at: number): string {
  const [word = ''] = /\b\w+(?=\s$)/.exec(text.slice(Math.max(0, at - MAX_CLOSING_LENGTH - 2), at)) ?? []
  return CLOSING.test(word) ? word : ''
}

/** The arguments in a value: `core/318` has two. */
export function referenceArguments({ value }: Pick<ParsedReference, 'value'>): string[] {
  return value.split('/')
}

function hasEndlessRun(text: string): boolean {
  return text.length >= MAX_RUN_LENGTH && text.split(/\s/).some((run) => run.length >= MAX_RUN_LENGTH)
}
