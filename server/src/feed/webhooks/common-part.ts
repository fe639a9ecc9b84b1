import { isRecord } from '../../platform/wire/schema-shape.ts'

/**
 * The intersection of two JSON values. Objects are compared by member; objects in lists by their `field_id` or `id`.
 * Undefined: they have nothing in common.
 */
export function commonPart(sent: unknown, readable: unknown): unknown {
  if (Array.isArray(sent)) return Array.isArray(readable) ? commonItems(sent, readable) : undefined
  if (!isRecord(sent)) return sent === readable ? sent : undefined
  if (!isRecord(readable)) return undefined
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const common = Object.hasOwn(readable, name) ? commonPart(value, readable[name]) : undefined
      return common === undefined ? [] : [[name, common]]
    }),
  )
}

function commonItems(sent: readonly unknown[], readable: readonly unknown[]): unknown[] {
  return sent.flatMap((item) => {
    const key = keyOfItem(item)
    const same = readable.find((each) => keyOfItem(each) === key)
    const common = same === undefined ? undefined : commonPart(item, same)
    return common === undefined ? [] : [common]
  })
}

function keyOfItem(item: unknown): string {
  if (!isRecord(item)) return JSON.stringify(item)
  return JSON.stringify(item['field_id'] ?? item['id'] ?? item)
}
