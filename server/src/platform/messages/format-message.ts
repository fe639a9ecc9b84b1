import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'

type ValueOf = (name: string) => string | number

interface CompiledMessage {
  readonly names: readonly string[]
  format(valueOf: ValueOf): string
}

/** Compiled at first use, by language: parsing takes longer than most requests may. */
const compiled = new Map<string, Map<string, CompiledMessage>>()

/** Formats an ICU message; `valueOf` is called for the arguments that the message has. */
export function formatMessage(tag: string, message: string, valueOf: ValueOf): string {
  return message.includes('{') ? compiledMessage(tag, message).format(valueOf) : message
}

/** The names of the arguments of a message. */
export function argumentNames(tag: string, message: string): readonly string[] {
  return compiledMessage(tag, message).names
}

function compiledMessage(tag: string, message: string): CompiledMessage {
  const ofLanguage = compiled.get(tag) ?? new Map<string, CompiledMessage>()
  compiled.set(tag, ofLanguage)
  const known = ofLanguage.get(message)
  if (known) return known
  const fresh = compile(tag, message)
  ofLanguage.set(message, fresh)
  return fresh
}

function compile(tag: string, message: string): CompiledMessage {
  const icu = new IntlMessageFormat(message, tag, undefined, { ignoreTag: true })
  const elements = icu.getAst()
  const names = [...new Set(namesIn(elements))]
  const plain = elements.filter((element) => element.type === TYPE.literal || element.type === TYPE.argument)
  // Most messages have plain arguments only; joining them is five times as fast.
  const format = (valueOf: ValueOf): string =>
    plain.length === elements.length
      ? plain.map(({ type, value }) => (type === TYPE.literal ? value : valueOf(value))).join('')
      : String(icu.format(Object.fromEntries(names.map((name) => [name, valueOf(name)]))))
  return { names, format }
}

function namesIn(elements: readonly MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) return []
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [element.value]
    return [element.value, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))]
  })
}
