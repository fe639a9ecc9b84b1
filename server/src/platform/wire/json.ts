import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../messages/errors.ts'
import { locateJsonFault } from './locate-json-fault.ts'
import { positionAt } from './text-position.ts'

const MAX_DEPTH = 64
const SLICE_LENGTH = 64 * 1024
const TAB = 9
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** Members and array items of one text: each costs microseconds until it is validated. */
export const MAX_VALUES = 36_000
/** Limit of one object: each member is a hash table key, several times over. */
export const MAX_MEMBERS = 5000
const MAX_NUMBER_LENGTH = 128
/** `JSON.parse` reads a text with escapes without yielding, at about 25 ns per escape. */
const MAX_ESCAPES = 1_500_000

/** `JSON.parse` for untrusted input: no duplicate members, bounded depth and number of values, no `__proto__`. */
export function parseStrictJson(text: string): unknown {
  const scan = createScan(text)
  scan.run(text.length)
  return parseScanned(text, scan)
}

/** The same for a long text without blocking the event loop: the scan yields between slices. */
export async function parseLongStrictJson(text: string): Promise<unknown> {
  await assertFewEscapes(text)
  const scan = createScan(text)
  for (let end = SLICE_LENGTH; scan.run(end) < text.length; end += SLICE_LENGTH) await setImmediate()
  await setImmediate()
  return parseScanned(text, scan)
}

async function assertFewEscapes(text: string): Promise<void> {
  let count = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 2)) {
    if (++count > MAX_ESCAPES) throw tooManyValues(MAX_ESCAPES)
    if (count % SLICE_LENGTH === 0) await setImmediate()
  }
}

function parseScanned(text: string, { namesPrototype }: Scan): unknown {
  const value = parse(text)
  if (namesPrototype) throw new ApiError('member_unknown', { path: '__proto__', rule: 'unknown_member' })
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedAt(text, locateJsonFault(text))
  }
}

interface Scan {
  /** Scans to about `end`; returns the reached offset. */
  run(end: number): number
  readonly namesPrototype: boolean
}

/**
 * Scans strings and brackets only; `JSON.parse` checks the rest of the grammar. Parsers disagree on which of two
 * duplicate members counts, so such a body is refused.
 */
function createScan(text: string): Scan {
  /** The names seen in each open object; undefined for an open array. */
  const open: (Set<string> | undefined)[] = []
  let members: Set<string> | undefined
  let expectsName = false
  let namesPrototype = false
  let at = 0
  let values = 0
  let plainLength = 0
  /** Start of the string in which the last slice ended. */
  let start = -1
  let quote = 0

  const addName = (end: number) => {
    const name = nameAt(text, start, end)
    if (!members || members.has(name)) throw malformedAt(text, start)
    members.add(name)
    if (members.size > MAX_MEMBERS) throw tooManyValues(MAX_MEMBERS)
    namesPrototype ||= name === '__proto__'
    expectsName = false
  }
  /** Scans to the end of the open string; false: the slice ends first. */
  const endString = (end: number): boolean => {
    for (;;) {
      const found = text.indexOf('"', quote)
      if (found === -1) throw malformedAt(text, text.length)
      quote = found + 1
      if (!isEscaped(text, found)) {
        if (members && expectsName) addName(found)
        ;[at, start] = [found + 1, -1]
        return true
      }
      if (quote > end) return false
    }
  }
  const addValue = () => {
    if (++values > MAX_VALUES) throw tooManyValues(MAX_VALUES)
  }
  const run = (end: number): number => {
    if (start !== -1 && !endString(end)) return quote
    while (at < text.length && at < end) {
      const code = text.charCodeAt(at)
      if (code > CLOSE_ARRAY && code !== OPEN_OBJECT && code !== CLOSE_OBJECT) {
        plainLength++
        at++
        continue
      }
      switch (code) {
        case QUOTE:
          ;[start, quote, plainLength] = [at, at + 1, 0]
          if (!endString(end)) return quote
          continue
        case COMMA:
          expectsName = members !== undefined
          plainLength = 0
          addValue()
          break
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          members = code === OPEN_OBJECT ? new Set() : undefined
          expectsName = members !== undefined
          plainLength = 0
          addValue()
          if (open.push(members) > MAX_DEPTH) throw malformedAt(text, at)
          break
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          open.pop()
          members = open.at(-1)
          expectsName = false
          plainLength = 0
          break
        case SPACE:
        case TAB:
        case LINE_FEED:
        case CARRIAGE_RETURN:
          plainLength = 0
          break
        default:
          if (++plainLength > MAX_NUMBER_LENGTH) throw malformedAt(text, at)
      }
      at++
    }
    return at
  }
  return {
    run,
    get namesPrototype() {
      return namesPrototype
    },
  }
}

function malformedAt(text: string, offset: number): ApiError {
  return new ApiError('body_malformed', positionAt(text, offset))
}

export function tooManyValues(maximum: number): ApiError {
  return new ApiError('payload_too_large', { cause: 'too_many', allowed: { maximum } })
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}

/** `"\u0061"` and `"a"` are the same name. */
function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end)
  if (!name.includes('\\')) return name
  try {
    return String(JSON.parse(text.slice(start, end + 1)))
  } catch {
    throw malformedAt(text, start)
  }
}
