import { ApiError } from '../words/errors.ts'

const DEEPEST = 64
const QUOTE = 34
const COMMA = 44
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** `JSON.parse` for strangers: no member twice, bounded depth, and no `__proto__`. */
export function parseJson(text: string): unknown {
  const { namesPrototype } = inspect(text)
  try {
    return namesPrototype ? JSON.parse(text, withoutPrototype) : JSON.parse(text)
  } catch {
    throw new ApiError('body_malformed')
  }
}

/**
 * Looks at strings and brackets only; the rest of the grammar is left to `JSON.parse`. Two parsers that differ on
 * which of two equal members counts are a hole, so such a body is refused before anyone reads it.
 */
function inspect(text: string): { namesPrototype: boolean } {
  /** The members seen in each open object; an open array has none. */
  const open: (Set<string> | undefined)[] = []
  let members: Set<string> | undefined
  let expectsName = false
  let namesPrototype = false
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at)
        if (members && expectsName) {
          const name = nameAt(text, at, end)
          if (members.has(name)) throw new ApiError('body_malformed')
          members.add(name)
          namesPrototype ||= name === '__proto__'
          expectsName = false
        }
        at = end
        break
      }
      case COMMA:
        expectsName = members !== undefined
        break
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        members = text.charCodeAt(at) === OPEN_OBJECT ? new Set() : undefined
        expectsName = members !== undefined
        if (open.push(members) > DEEPEST) throw new ApiError('body_malformed')
        break
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop()
        members = open.at(-1)
        expectsName = false
        break
      default:
    }
  }
  return { namesPrototype }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  throw new ApiError('body_malformed')
}

/** `"\u0061"` and `"a"` are one name. */
function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end)
  if (!name.includes('\\')) return name
  try {
    return String(JSON.parse(text.slice(start, end + 1)))
  } catch {
    throw new ApiError('body_malformed')
  }
}

function withoutPrototype(name: string, value: unknown): unknown {
  return name === '__proto__' ? undefined : value
}
