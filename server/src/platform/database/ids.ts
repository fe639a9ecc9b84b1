// oxlint-disable typescript/no-unnecessary-type-parameters -- the caller says what the number names
import { ApiError } from '../messages/errors.ts'

declare const kind: unique symbol

/** A branded number: the id of a project is not assignable to that of an account. */
export type Id<Kind extends string> = number & { readonly [kind]: Kind }

export function isId<T extends Id<string>>(value: number): value is T {
  return Number.isSafeInteger(value) && value >= 0
}

export function toId<T extends Id<string>>(value: number): T {
  if (!isId<T>(value)) throw new RangeError(`${value} is not an id.`)
  return value
}

/** Parses an id of a path. A number that no object can have (-1, 2^60) becomes 0: not found instead of malformed. */
export function parseId<T extends Id<string>>(text: string, path: string): T {
  if (!/^-?\d+$/.test(text)) throw new ApiError('id_malformed', { path, rule: 'type' })
  const value = Number(text)
  return toId(Number.isSafeInteger(value) && value > 0 ? value : 0)
}
