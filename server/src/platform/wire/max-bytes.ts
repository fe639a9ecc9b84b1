import { Type } from 'typebox'
import { ApiError } from '../messages/errors.ts'
import { isRecord } from './schema-shape.ts'

export const MIN_REPLY_BYTES = 1024
export const MAX_REPLY_BYTES = 8 * 1024 * 1024

/** The additional member of objects that can be cut, so that the schema still matches. */
export const truncatedMember = {
  truncated: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer() }), {
      description: 'Only with `max_bytes`: the members that were cut, with their original size.',
    }),
  ),
}

/** Shorter texts are names, dates and labels; cutting would change their meaning. */
const MIN_CUT_TEXT_BYTES = 64
/** A cut URL is useless. */
const URL_MEMBER = /(^|_)(uri|url|id|href)$/

/** Number of elements that fit, from the first one on. */
export function countFitting(elements: readonly unknown[], wrapping: number, maximum: number): number {
  let bytes = wrapping
  const first = elements.findIndex((element, place) => {
    bytes += bytesOf(element) + (place > 0 ? 1 : 0)
    return bytes > maximum
  })
  if (first === 0) throw maxBytesTooSmall(bytes)
  return first === -1 ? elements.length : first
}

/**
 * Makes an object fit: the longest texts are cut to one common length; if that does not suffice, the longest list loses
 * entries at its end. `truncated` lists the cut members with their original size. Mutates `value`.
 */
export function cutObject(value: Record<string, unknown>, maximum: number): Record<string, unknown> {
  if (bytesOf(value) <= maximum) return value
  const [texts, lists] = [[...textsIn(value, '')], [...listsIn(value, '')]]
  const base = bytesOf({ ...value, truncated: [] })
  let [shortest, longest] = [MIN_CUT_TEXT_BYTES, Math.min(maximum, Math.max(...texts.map(({ bytes }) => bytes), 0))]
  // A greater length never needs fewer bytes, so the greatest one that fits is found by binary search.
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
  /** Size as JSON. */
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
      else if (!URL_MEMBER.test(name)) yield textAt(each, inner, (text) => (value[name] = text))
    }
  }
}

function textAt(text: string, path: string, replace: (text: string) => void): Text {
  return { text, path, bytes: Buffer.byteLength(text), written: bytesOf(text), replace }
}

function isWorthCutting(text: Truncated, length: number): boolean {
  return text.bytes - length > truncationEntryBytes(text)
}

function savedBy(texts: readonly Text[], length: number): number {
  return texts
    .filter((text) => isWorthCutting(text, length))
    .reduce((saved, text) => saved + text.written - bytesOf(startOf(text.text, length)) - truncationEntryBytes(text), 0)
}

function cutText({ text, path, bytes, replace }: Text, length: number): Truncated {
  replace(startOf(text, length))
  return { path, bytes }
}

/** As many whole characters as fit into `length` bytes. */
function startOf(text: string, length: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(length))
  return text.slice(0, read)
}

interface List extends Truncated {
  entries: unknown[]
}

/** Lists outside other lists: nested ones are removed with their entry. */
function* listsIn(value: unknown, path: string): Generator<List> {
  if (Array.isArray(value)) yield { path, entries: value, bytes: bytesOf(value) }
  else if (isRecord(value))
    for (const [name, each] of Object.entries(value)) yield* listsIn(each, path === '' ? name : `${path}.${name}`)
}

/** Removes the last entry of the longest list until the rest fits. */
function cutLists(
  value: Record<string, unknown>,
  texts: readonly Truncated[],
  lists: readonly List[],
  maximum: number,
): Record<string, unknown> {
  const shrinking = lists
    .filter((list) => list.bytes > truncationEntryBytes(list) + 2)
    .map((list) => shrink(list, texts))
  const spare = shrinking.length + 1 // The first entry of a list has no comma.
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
  if (needed > maximum) throw maxBytesTooSmall(needed)
  return made
}

interface Shrinking extends List {
  all: number
  /** Bytes that removing each entry saves: the entry, its comma, and the truncation entries of its texts. */
  sizes: number[]
  left: number
}

function shrink(list: List, texts: readonly Truncated[]): Shrinking {
  const inside = Map.groupBy(
    texts.filter(({ path }) => path.startsWith(`${list.path}[`)),
    ({ path }) => placeIn(list, path),
  )
  const sizes = list.entries.map(
    (entry, place) =>
      bytesOf(entry) + 1 + (inside.get(place) ?? []).reduce((sum, text) => sum + truncationEntryBytes(text), 0),
  )
  return { ...list, all: sizes.length, sizes, left: sizes.reduce((sum, size) => sum + size, 0) }
}

function placeIn({ path: list }: List, path: string): number {
  return Number.parseInt(path.slice(list.length + 1), 10)
}

/** Size of a truncation entry, with a comma. */
function truncationEntryBytes({ path, bytes }: Truncated): number {
  return bytesOf({ path, bytes }) + 1
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

export function maxBytesTooSmall(minimum: number): ApiError {
  return new ApiError('parameter_out_of_range', {
    path: 'max_bytes',
    rule: 'minimum',
    allowed: { minimum, maximum: MAX_REPLY_BYTES },
  })
}
