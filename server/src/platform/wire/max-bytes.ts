import { Type } from 'typebox'
import { ApiError } from '../words/errors.ts'
import { isRecord } from './schema-shape.ts'

export const FEWEST_BYTES = 1024
export const MOST_BYTES = 8 * 1024 * 1024

/** What an object that can be cut has in addition, so that its schema holds for what is left of it. */
export const truncatedMember = {
  truncated: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer() }), {
      description: 'Only with `max_bytes`: what was cut, and how long it really is.',
    }),
  ),
}

/** Shorter ones are names, dates and labels, not texts; cut, they would mean something else. */
const SHORTEST_TEXT = 64
/** Half an address leads nowhere. */
const ADDRESS = /(^|_)(uri|url|id|href)$/

/** How many elements of a list fit, from the first on. */
export function countFitting(elements: readonly unknown[], wrapping: number, maximum: number): number {
  let bytes = wrapping
  const first = elements.findIndex((element, place) => {
    bytes += bytesOf(element) + (place > 0 ? 1 : 0)
    return bytes > maximum
  })
  if (first === 0) throw tooSmall(bytes)
  return first === -1 ? elements.length : first
}

/**
 * Makes an object fit: texts are cut from the longest down, all to one length; where that does not do, the longest list
 * loses entries from its end. `truncated` says what was cut, and how long it really was. `value` is changed.
 */
export function cutObject(value: Record<string, unknown>, maximum: number): Record<string, unknown> {
  if (bytesOf(value) <= maximum) return value
  const [texts, lists] = [[...textsIn(value, '')], [...listsIn(value, '')]]
  const base = bytesOf({ ...value, truncated: [] })
  let [shortest, longest] = [SHORTEST_TEXT, Math.min(maximum, Math.max(...texts.map(({ bytes }) => bytes), 0))]
  // What is cut to a greater length needs no fewer bytes, so the greatest that fits can be searched by halves.
  while (shortest < longest) {
    const middle = Math.ceil((shortest + longest) / 2)
    if (base - savedBy(texts, middle) <= maximum) shortest = middle
    else longest = middle - 1
  }
  const truncated = texts.filter((text) => isWorthCutting(text, shortest)).map((text) => cutText(text, shortest))
  const cut = { ...value, truncated }
  if (bytesOf(cut) <= maximum) return cut
  return cutLists(value, truncated, lists, maximum)
}

interface Truncated {
  path: string
  bytes: number
}

interface Text extends Truncated {
  text: string
  /** What it takes as JSON. */
  written: number
  readonly replace: (text: string) => void
}

function* textsIn(value: unknown, path: string): Generator<Text> {
  if (Array.isArray(value)) {
    for (const [place, each] of value.entries()) {
      const inner = `${path}[${place}]`
      if (typeof each === 'string') yield textAt(each, inner, (text) => (value[place] = text))
      else yield* textsIn(each, inner)
    }
  } else if (isRecord(value)) {
    for (const [name, each] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      if (typeof each !== 'string') yield* textsIn(each, inner)
      else if (!ADDRESS.test(name)) yield textAt(each, inner, (text) => (value[name] = text))
    }
  }
}

function textAt(text: string, path: string, replace: (text: string) => void): Text {
  return { text, path, bytes: Buffer.byteLength(text), written: bytesOf(text), replace }
}

function isWorthCutting(text: Truncated, length: number): boolean {
  return text.bytes - length > told(text)
}

function savedBy(texts: readonly Text[], length: number): number {
  return texts
    .filter((text) => isWorthCutting(text, length))
    .reduce((saved, text) => saved + text.written - bytesOf(startOf(text.text, length)) - told(text), 0)
}

function cutText({ text, path, bytes, replace }: Text, length: number): Truncated {
  replace(startOf(text, length))
  return { path, bytes }
}

/** As many whole characters as `length` bytes hold. */
function startOf(text: string, length: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(length))
  return text.slice(0, read)
}

interface List extends Truncated {
  entries: unknown[]
}

/** Lists that stand in no other list: what stands in an entry goes with it. */
function* listsIn(value: unknown, path: string): Generator<List> {
  if (Array.isArray(value)) yield { path, entries: value, bytes: bytesOf(value) }
  else if (isRecord(value))
    for (const [name, each] of Object.entries(value)) yield* listsIn(each, path === '' ? name : `${path}.${name}`)
}

/** The longest list loses its last entry, and again, until the rest fits. */
function cutLists(
  value: Record<string, unknown>,
  texts: readonly Truncated[],
  lists: readonly List[],
  maximum: number,
): Record<string, unknown> {
  const shrinking = lists.filter((list) => list.bytes > told(list) + 2).map((list) => shrink(list, texts))
  const spare = shrinking.length + 1 // The first entry of a list has no comma to lose.
  let bytes = bytesOf({
    ...value,
    truncated: [...texts, ...shrinking.map(({ path, bytes: all }) => ({ path, bytes: all }))],
  })
  while (bytes + spare > maximum) {
    const longest = shrinking.reduce<Shrinking | undefined>(
      (one, other) => (one && one.left >= other.left ? one : other),
      undefined,
    )
    const last = longest?.sizes.pop()
    if (!longest || last === undefined) break
    longest.entries.pop()
    longest.left -= last
    bytes -= last
  }
  const isThere = ({ path }: Truncated) =>
    lists.every((list) => !path.startsWith(`${list.path}[`) || placeIn(list, path) < list.entries.length)
  const cut = shrinking.filter(({ entries, all }) => entries.length < all)
  const truncated = [...texts.filter(isThere), ...cut.map(({ path, bytes: all }) => ({ path, bytes: all }))]
  const made = { ...value, truncated }
  const needed = bytesOf(made)
  if (needed > maximum) throw tooSmall(needed)
  return made
}

interface Shrinking extends List {
  all: number
  /** What goes with each entry: itself, its comma, and what is told of its texts. */
  sizes: number[]
  left: number
}

function shrink(list: List, texts: readonly Truncated[]): Shrinking {
  const inside = Map.groupBy(
    texts.filter(({ path }) => path.startsWith(`${list.path}[`)),
    ({ path }) => placeIn(list, path),
  )
  const sizes = list.entries.map(
    (entry, place) => bytesOf(entry) + 1 + (inside.get(place) ?? []).reduce((sum, text) => sum + told(text), 0),
  )
  return { ...list, all: sizes.length, sizes, left: sizes.reduce((sum, size) => sum + size, 0) }
}

function placeIn({ path: list }: List, path: string): number {
  return Number.parseInt(path.slice(list.length + 1), 10)
}

/** What it takes to tell that something was cut, with a comma. */
function told({ path, bytes }: Truncated): number {
  return bytesOf({ path, bytes }) + 1
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

export function tooSmall(minimum: number): ApiError {
  return new ApiError('parameter_out_of_range', {
    path: 'max_bytes',
    rule: 'minimum',
    allowed: { minimum, maximum: MOST_BYTES },
  })
}
