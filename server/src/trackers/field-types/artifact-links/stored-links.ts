import { splitCell } from '../../../platform/wire/csv.ts'
import { isRecord } from '../../../platform/wire/schema-shape.ts'
import type { StoredLinks } from '../field-type.ts'

export function storedLinks(stored: unknown): StoredLinks {
  if (!isRecord(stored)) return {}
  return Object.fromEntries(Object.entries(stored).map(([target, type]) => [target, String(type)]))
}

/** A cell of a table has no types: existing links keep theirs. */
export function linksFromCell(text: string, stored: unknown): { readonly links: readonly object[] } {
  const types = storedLinks(stored)
  return { links: splitCell(text).map((id) => ({ id: id.trim(), type: types[id.trim()] ?? '' })) }
}
