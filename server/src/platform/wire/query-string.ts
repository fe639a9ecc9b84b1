import { ApiError } from '../words/errors.ts'

interface Parameters {
  values: Map<string, string>
  /** Names given twice, or as a list. Only a route knows which of them it reads; to all others they are unknown. */
  duplicates: Set<string>
  /** All values of each name, however often and in whichever way it is given: for what may be a list. */
  lists: Map<string, string[]>
}

/** What stands after the `?`. An empty value is none at all. */
export function parseQueryString(raw: string): Parameters {
  return collect(bytesEscaped(raw), {
    keepsEmpty: false,
    refusal: (path) => new ApiError('parameter_invalid', { path, rule: 'format' }),
  })
}

/** A body of `application/x-www-form-urlencoded`. Here an empty value is an empty text. */
export function parseForm(text: string): Parameters {
  return collect(text, { keepsEmpty: true, refusal: () => new ApiError('body_malformed') })
}

interface Manner {
  keepsEmpty: boolean
  refusal: (path: string) => ApiError
}

function collect(text: string, { keepsEmpty, refusal }: Manner): Parameters {
  const values = new Map<string, string>()
  const duplicates = new Set<string>()
  const lists = new Map<string, string[]>()
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(rawName)
    if (name === undefined) throw refusal(rawName)
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (value === undefined) throw refusal(name)
    const list = listName(name)
    if (name === '') continue // The stray `?=`.
    if (value !== '') lists.set(list ?? name, [...(lists.get(list ?? name) ?? []), value])
    if (list !== undefined) duplicates.add(list)
    else if (value === '' && !keepsEmpty) continue
    else if (values.has(name)) duplicates.add(name)
    else values.set(name, value)
  }
  return { values, duplicates, lists }
}

/** `limit[]` and `limit[0]` mean to give `limit` several times. */
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

/** Node hands over the address with one character for each byte: what a client forgot to escape is UTF-8 still. */
function bytesEscaped(raw: string): string {
  return raw.replace(/[\x80-\xFF]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
}
