import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import type { MessagePart } from './src/messages/message-parts.ts'

const MESSAGES = /\/web\/src\/messages\/(?!.*\.test\.ts$).*\.ts$/
/** String literals that contain an argument with a format: `{count, plural, …}`. */
const FORMATTED = /'((?:[^'\\\n]|\\.)*\{\w+, (?:plural|select|number)\b(?:[^'\\\n]|\\.)*)'/g

/**
 * Parses ICU messages of the catalogues when the pages are built. intl-messageformat would take 6 kB of the 150 kB that
 * a first screen may have, compressed and without its parser.
 */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    enforce: 'pre',
    transform: (code, id) =>
      MESSAGES.test(id)
        ? {
            code: code.replaceAll(FORMATTED, (_, message: string) => JSON.stringify(compileMessage(message))),
            map: null,
          }
        : null,
  }
}

export function compileMessage(message: string): readonly MessagePart[] {
  return parse(message.replaceAll(/\\(.)/g, '$1'), { ignoreTag: true }).map((element) => toPart(element))
}

/** `counted` is the argument of the plural around the element, which `#` stands for. */
function toPart(element: MessageFormatElement, counted?: string): MessagePart {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.argument:
      return [element.value]
    case TYPE.number:
      return [element.value, 'number']
    case TYPE.pound:
      if (counted === undefined) throw new Error('# outside a plural')
      return [counted, 'number']
    case TYPE.select:
    case TYPE.plural: {
      const isPlural = element.type === TYPE.plural
      if (isPlural && (element.offset !== 0 || element.pluralType !== 'cardinal'))
        throw new Error('Plurals with an offset and ordinals are not supported.')
      const options = Object.entries(element.options).map(
        ([key, { value }]) => [key, value.map((each) => toPart(each, isPlural ? element.value : counted))] as const,
      )
      return [element.value, isPlural ? 'plural' : 'select', Object.fromEntries(options)]
    }
    case TYPE.date:
    case TYPE.time:
    case TYPE.tag:
    default:
      throw new Error('Messages have plain arguments, numbers, plurals and selects.')
  }
}
