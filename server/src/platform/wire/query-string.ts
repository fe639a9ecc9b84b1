import { ApiError } from '../messages/errors.ts'
import { tooManyValues } from './json.ts'

const MAX_PAIRS = 10_000

interface Parameters {
  values: Map<string, string>
  /** Names given twice or as a list. Only the route knows which of them it reads. */
  duplicates: Set<string>
  /** All values by name, in every notation, for parameters that may be lists. */
  lists: Map<string, string[]>
  /** All names, also those without a value; the empty name is a stray `=`, and `=` a value without a name. */
  names: Set<string>
  /** Names that were given without a value. */
  empty: Set<string>
}

/** Parses the part after `?`. Empty values count as absent. */
export function parseQueryString(raw: string): Parameters {
  return collect(bytesEscaped(raw), {
    keepsEmpty: false,
    refusal: (path) => new ApiError('parameter_invalid', { path, rule: 'format' }),
  })
}

/** Parses an `application/x-www-form-urlencoded` body. Empty values are empty texts. */
export function parseForm(text: string): Parameters {
  return collect(text, { keepsEmpty: true, refusal: () => new ApiError('body_malformed') })
}

interface ParseOptions {
  keepsEmpty: boolean
  refusal: (path: string) => ApiError
}

function collect(text: string, { keepsEmpty, refusal }: ParseOptions): Parameters {
  const values = new Map<string, string>()
  const duplicates = new Set<string>()
  const lists = new Map<string, string[]>()
  const names = new Set<string>()
  const empty = new Set<string>()
  let pairs = 0
  for (const pair of text.split('&', MAX_PAIRS + 1)) {
    if (++pairs > MAX_PAIRS) throw tooManyValues(MAX_PAIRS)
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(rawName)
    if (name === undefined) throw refusal(rawName)
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (value === undefined) throw refusal(name)
    const list = keepsEmpty ? undefined : listName(name) // A form has no lists: `a[]` is a name like any other.
    if (name === '' && value === '') {
      if (equals !== -1) names.add('') // A stray `?=`.
      continue
    }
    names.add(list ?? (name === '' ? '=' : name))
    if (value === '') empty.add(list ?? name)
    else addTo(lists, list ?? name, value)
    if (list !== undefined) duplicates.add(list)
    else if (value === '' && !keepsEmpty) continue
    else if (values.has(name)) duplicates.add(name)
    else values.set(name, value)
  }
  return { values, duplicates, lists, names, empty }
}

function addTo(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name)
  if (list) list.push(value)
  else lists.set(name, [value])
}

/** `limit[]` and `limit[0]` are list notations of `limit`. */
function listName(name: string): string | undefined {
  const bracket = name.indexOf('[')
  return bracket > 0 && name.endsWith(']') ? name.slice(0, bracket) : undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Node returns the URL with one character per byte: unescaped bytes are UTF-8. */
function bytesEscaped(raw: string): string {
  return raw.replace(/[\x80-\xFF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
}
