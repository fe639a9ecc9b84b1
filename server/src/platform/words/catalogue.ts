import { english } from './english.ts'
import type { Cause, Reason, Told } from './reasons.ts'

type Sentence = (told: Told) => string

/** The texts of one language. English has them all, and stands in wherever another language is silent. */
export interface Catalogue {
  readonly tag: string
  readonly reasons: Partial<Record<Reason, Sentence>>
  readonly causes: Partial<Record<Cause, Sentence>>
  /** Words of pages, mails and labels, by a stable name; `{place}` is filled in. */
  readonly texts: Partial<Record<string, string>>
}

const installed = new Map<string, Catalogue>([[english.tag, english]])

/** Adds a language to those that accounts may choose; the answer takes it away again. */
export function install(language: Catalogue): () => void {
  installed.set(language.tag, language)
  return () => installed.delete(language.tag)
}

export function languages(): string[] {
  return [...installed.keys()]
}

/** The first of the wanted languages that is installed: `de-CH` is served by `de`. */
export function catalogueFor(wanted: readonly (string | null | undefined)[]): Catalogue {
  for (const tag of wanted) {
    const found = tag ? (installed.get(tag) ?? installed.get(tag.split('-')[0] ?? '')) : undefined
    if (found) return found
  }
  return english
}

export function say(language: Catalogue, reason: Reason, details: Told = {}): string {
  const { cause } = details
  const sentence =
    (cause && (language.causes[cause] ?? english.causes[cause])) ?? language.reasons[reason] ?? english.reasons[reason]
  return sentence ? sentence(details) : reason
}

/** A text of a page, mail or label. */
export function text(language: Catalogue, name: string, places: Record<string, string> = {}): string {
  const words = language.texts[name] ?? english.texts[name] ?? name
  return words.replace(/\{(\w+)\}/g, (whole, place: string) => places[place] ?? whole)
}

/** `Accept-Language`, best first. */
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
