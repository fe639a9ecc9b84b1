import type { Catalogue } from '../../platform/messages/catalogue.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import german from './german-labels.json' with { type: 'json' }

/** The texts of the templates by their English form, for each further language. */
const TRANSLATIONS = new Map([['de', new Map(Object.entries(german))]])

const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'label',
  'description',
  'title',
  'body',
  'submit_instructions',
  'browse_instructions',
])

/** A template in the language of a caller. Names and keys stay: workflow, queries and references use them. */
export function localizeTemplate(definition: object, { tag }: Catalogue): object {
  const texts = TRANSLATIONS.get(tag)
  return texts ? translateMembers(definition, texts) : definition
}

function translateMembers(members: object, texts: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const isText = TEXT_MEMBERS.has(name) && typeof value === 'string'
      return [name, isText ? (texts.get(value) ?? value) : translateValue(value, texts)]
    }),
  )
}

function translateValue(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => translateValue(each, texts))
  return isRecord(value) ? translateMembers(value, texts) : value
}
