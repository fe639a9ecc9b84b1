export interface ParsedReference {
  /** Where it begins in the text. */
  readonly at: number
  /** As it stands in the text, without the word before it. */
  readonly text: string
  /** In lower case. */
  readonly keyword: string
  /** The short name or id of another project; `''`: none is named. */
  readonly project: string
  readonly value: string
  /** A word before it that says what is done to the thing, as in `closes art #7`; `''`: there is none. */
  readonly context: string
}

const LONGEST_RUN = 5000
const MOST = 10_000 // More than the longest text of an artifact can hold; nobody else is served while they are read.

// Each part can begin and end in one way only, so that the time taken grows with the text and no faster.
const REFERENCE =
  /(?<!\w)(?:(?<context>\w+)\s)?(?<text>(?<keyword>\w+)\s#(?:(?<project>[\w-]+):)?(?<value>(?:[\w&.-]+\/)*[\w&]+)(?![\w&/]))/g

const CLOSING = /^(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)|implement(?:s|ed)?)$/i

/** What a text refers to, in its order, as far as anybody would read: `art #12`, `bug #orchard:12`, `svn #core/318`. */
export function parseReferences(text: string): ParsedReference[] {
  if (hasEndlessRun(text)) return []
  const found = text.matchAll(REFERENCE).take(MOST)
  return found.map(({ 0: { length }, index, groups }) => read(groups ?? {}, index + length)).toArray()
}

function read(groups: Record<string, string>, end: number): ParsedReference {
  const { text = '', keyword = '', project = '', value = '', context = '' } = groups
  const closing = CLOSING.test(context) ? context : ''
  return { at: end - text.length, text, keyword: keyword.toLowerCase(), project, value, context: closing }
}

/** The parts of a value: `core/318` has two. */
export function argumentsOf({ value }: Pick<ParsedReference, 'value'>): string[] {
  return value.split('/')
}

function hasEndlessRun(text: string): boolean {
  return text.length >= LONGEST_RUN && text.split(/\s/).some((run) => run.length >= LONGEST_RUN)
}
