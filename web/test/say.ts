import { GERMAN } from '../src/messages/german.ts'
import { CATALOGUES } from './catalogues.ts'

/** The text of a control in the language of the visit, for steps that are written in English. */
export type Say = (english: string) => string | RegExp

const ENGLISH: Readonly<Record<string, unknown>> = Object.assign({}, ...CATALOGUES)
const TRANSLATIONS: Readonly<Record<string, unknown>> = GERMAN

export const sayEnglish: Say = (english) => english

/** One English text can have several translations; the pattern has them all. */
export const sayGerman: Say = (english) => {
  const found = Object.entries(ENGLISH).flatMap(([key, message]) => {
    const german = TRANSLATIONS[key]
    // Texts with plurals are compiled.
    const values = typeof message === 'string' ? placeholdersOf(message, english) : undefined
    return values && typeof german === 'string'
      ? [escaped(german.replaceAll(PLACE, (_, name) => values[name] ?? ''))]
      : []
  })
  if (found.length === 0) throw new Error(`No text of the pages is "${english}".`)
  return new RegExp(`^(${[...new Set(found)].join('|')})$`)
}

const PLACE = /\{(\w+)\}/g

/** The values of the placeholders of a message that reads like the text; undefined: it does not. */
function placeholdersOf(message: string, text: string): Readonly<Record<string, string>> | undefined {
  // A message of a placeholder alone reads like every text.
  if (message.replaceAll(PLACE, '').trim() === '') return undefined
  const pattern = message
    .split(PLACE)
    .map((part, at) => (at % 2 === 0 ? escaped(part) : `(?<${part}>.+)`))
    .join('')
  return new RegExp(`^${pattern}$`).exec(text)?.groups ?? (message === text ? {} : undefined)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
