import { isRecord } from '../../platform/wire/schema-shape.ts'

/**
 * A client that reads an artifact and sends it back has changed nothing, whatever the type of the field is. `shown` is
 * what reading it answers.
 */
export function isReplay(sent: Readonly<Record<string, unknown>>, shown: object | undefined): boolean {
  if (!shown || ASKED.some((name) => (sent[name] ?? null) !== null && !(name in shown))) return false
  const members = Object.entries(shown).filter(([name]) => name !== 'field_id' && name !== 'type' && name !== 'label')
  return members.every(([name, value]) => isSame(sent[name], value))
}

/** Where reading shows something else, these ask for something, whatever stands beside them. */
const ASKED = ['value', 'add', 'remove']

/** What comes from XML has no types: there a number is its digits, and nothing is an empty text. */
function isSame(sent: unknown, shown: unknown): boolean {
  if (sent === shown) return true
  if (sent === '') return shown === null || (typeof shown === 'object' && Object.keys(shown).length === 0)
  if (typeof sent === 'string')
    return (typeof shown === 'number' || typeof shown === 'boolean') && sent === String(shown)
  if (Array.isArray(sent) && Array.isArray(shown))
    return sent.length === shown.length && sent.every((each, at) => isSame(each, shown[at]))
  if (!isRecord(sent) || !isRecord(shown)) return false
  const names = new Set([...Object.keys(sent), ...Object.keys(shown)])
  return [...names].every((name) => isSame(sent[name], shown[name]))
}
