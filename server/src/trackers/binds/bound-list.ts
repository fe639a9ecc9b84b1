import type { Described, Describing, Migrated, Migrating, Reading, Writing } from '../fields/field-type.ts'
import type { SortValue } from '../search/condition.ts'
import type { Asking } from '../search/field-search.ts'
import type { GroupValue, Telling } from '../search/group-value.ts'
import type { Bind, Element, FieldId } from '../tracker.ts'

/** What the values of a list come from. It knows what the stored numbers mean: values, people, groups. */
export interface BoundList {
  readonly type: Bind['type']
  describe(element: Element, describing: Describing): Required<Pick<Described, 'values' | 'bindings' | 'default_value'>>
  /** Whatever of these there still is, in this order. */
  show(ids: readonly number[], reading: Reading): readonly Shown[]
  /** What stands where there is no value; absent: nothing. */
  showNone?(reading: Reading): Shown
  /** The numbers to store for what is asked for, in this order; None is left out. Throws `ValueFault`. */
  choose(asked: readonly Asked[], element: Element, writing: Writing): Promise<readonly number[]>
  /** Those of them that a new artifact may begin with. */
  standing(ids: readonly number[], element: Element, writing: Writing): Promise<readonly number[]>
  /** Between definitions and structures: keys of values, ids of accounts, numbers of groups. */
  readDefault(given: unknown, path: string): number
  writeDefault(id: number): string | number | undefined
  /** The same values in a list that takes them from the same kind of source; undefined: it does not. */
  migrate(
    ids: readonly number[],
    to: Element,
    migrating: Migrating,
  ): (Migrated & { value: readonly number[] }) | undefined
  /** How its values are found by whoever searches. */
  readonly search: BoundSearch
}

export interface BoundSearch {
  /** What it is that nobody knows, when a name is unknown. */
  readonly cause: 'list_value' | 'user'
  /** The numbers of all that is called so, whatever its case and whether it is hidden. */
  named(name: string, asking: Asking): Promise<readonly number[]>
  /** The number behind an id that is none itself; 0: there is no such thing. Undefined: this is no id. */
  numberOf?(id: string, asking: Asking): number | undefined
  /** All names, for whoever has mistyped one; people are too many. */
  names(asking: Asking): readonly string[]
  /** How single values are sorted; absent: there are none. */
  sort?(field: FieldId): SortValue
  group(field: FieldId, telling: Telling): GroupValue
}

/** One value, in all the forms in which answers have it. */
export interface Shown {
  readonly id: number | string
  readonly json: object
  /** For people. */
  readonly label: string
  /** For programs that read tables. */
  readonly flat: string
}

/** One value that a client asks for: by name first, where there is one, then by id. */
export interface Asked {
  /** Where it stands in the item. */
  readonly path: string
  readonly name?: string
  readonly id?: unknown
}
