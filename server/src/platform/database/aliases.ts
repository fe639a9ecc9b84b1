import type { RawBuilder } from 'kysely'

/**
 * The table aliases of a statement. A fragment that names aliases takes them as a parameter, so that a statement without
 * one of them does not compile.
 */
export interface Aliases<Name extends string> {
  /** A function, so that more aliases are assignable to fewer, and not the reverse. */
  readonly hasAlias: (name: Name) => boolean
}

/** A join, with the aliases that a statement has after it. */
export interface Join<Name extends string> extends RawBuilder<unknown>, Aliases<Name> {}

/** States the aliases of a statement that names its tables itself: `from project where …`. */
export function aliases<Name extends string>(...names: readonly Name[]): Aliases<Name> {
  return { hasAlias: (name) => names.includes(name) }
}

export function joining<Name extends string>(clause: RawBuilder<unknown>, ...names: readonly Name[]): Join<Name> {
  return Object.assign(clause, aliases(...names))
}
