import { english, type TextName } from './english.ts'
import { ERROR_ARGUMENTS, isErrorArgument, type Phrase } from './error-arguments.ts'
import { german } from './german.ts'
import { formatMessage } from './format-message.ts'
import type { Cause, Reason, MessageDetails } from './reasons.ts'

/** The messages of one language, in ICU syntax. English is the fallback for missing ones. */
export interface Catalogue {
  readonly tag: string
  readonly reasons: Partial<Record<Reason, string>>
  readonly causes: Partial<Record<Cause, string>>
  /** Messages of pages, mails and labels, by a stable name. */
  readonly texts: Partial<Record<string, string>>
}

const installed = new Map<string, Catalogue>([english, german].map((each) => [each.tag, each]))

/** Adds a language that accounts may choose; returns the function that removes it. */
export function installLanguage(language: Catalogue): () => void {
  installed.set(language.tag, language)
  return () => installed.delete(language.tag)
}

export function languages(): string[] {
  return [...installed.keys()]
}

/** The first installed one of the wanted languages: `de-CH` is served by `de`. */
export function selectCatalogue(wanted: readonly (string | null | undefined)[]): Catalogue {
  for (const tag of wanted) {
    const found = tag ? (installed.get(tag) ?? installed.get(tag.split('-')[0] ?? '')) : undefined
    if (found) return found
  }
  return english
}

export function errorMessage(language: Catalogue, reason: Reason, details: MessageDetails = {}): string {
  const { cause } = details
  const message =
    (cause && (language.causes[cause] ?? english.causes[cause])) ?? language.reasons[reason] ?? english.reasons[reason]
  const phrase: Phrase = (name, values) => getMessage(language, name, values)
  return formatMessage(language.tag, message, (name) =>
    isErrorArgument(name) ? ERROR_ARGUMENTS[name](details, phrase) : `{${name}}`,
  )
}

/** A message of a page, mail or label. */
export function getMessage(
  language: Catalogue,
  name: string,
  places: Readonly<Record<string, string | number>> = {},
): string {
  const message = language.texts[name] ?? (isTextName(name) ? english.texts[name] : undefined)
  if (message === undefined) return name
  return formatMessage(language.tag, message, (place) => places[place] ?? `{${place}}`)
}

function isTextName(name: string): name is TextName {
  return Object.hasOwn(english.texts, name)
}

/** Parses `Accept-Language`, best first. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((each) => {
      const [tag = '', ...parameters] = each.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
