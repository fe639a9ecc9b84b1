import { ENGLISH } from './english.ts'
import { locale } from './language.ts'
import { joinParts, type MessagePart, type Placeholders } from './message-parts.ts'

export type MessageKey = keyof typeof ENGLISH

/** The build compiles messages with plurals or numbers (web/compile-messages.ts); others stay text. */
type Message = string | readonly MessagePart[]

let translation: Readonly<Record<string, Message>> = {}

/** Sets the texts of another language than English, before the first render. */
export function setTranslation(texts: Readonly<Record<string, Message>>): void {
  translation = texts
}

export const { text, isText } = createMessages(ENGLISH)

/** The same for a larger catalogue, which is loaded together with rarely opened screens. */
export function createMessages<C extends Readonly<Record<string, string>>>(catalogue: C) {
  type Name = keyof C & string
  return {
    /** A text of the catalogue with its placeholders filled. */
    text: (name: Name, placeholders: Placeholders = {}): string =>
      formatText(translation[name] ?? catalogue[name] ?? name, placeholders),
    isText: (name: string): name is Name => Object.hasOwn(catalogue, name),
  }
}

function formatText(message: Message, placeholders: Placeholders): string {
  return typeof message === 'string'
    ? message.replaceAll(/\{(\w+)\}/g, (_, place: string) => String(placeholders[place] ?? ''))
    : joinParts(message, placeholders, locale)
}
