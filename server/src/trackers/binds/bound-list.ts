import type {
  FieldDescription,
  Describing,
  Migrated,
  Migrating,
  ReadContext,
  FieldWriteContext,
} from '../field-types/field-type.ts'
import type { SortValue } from '../search/condition.ts'
import type { SearchContext } from '../search/field-search.ts'
import type { GroupValue, GroupContext } from '../search/group-value.ts'
import type { Bind, Element, FieldId } from '../tracker.ts'

/** The source of a list's values. It knows whether the stored numbers are values, people or groups. */
export interface BoundList {
  readonly type: Bind['type']
  describe(
    element: Element,
    describing: Describing,
  ): Required<Pick<FieldDescription, 'values' | 'bindings' | 'default_value'>>
  /** The values that still exist, in the given order. */
  show(ids: readonly number[], reading: ReadContext): readonly ShownListValue[]
  /** The entry shown for an empty list; absent: nothing is shown. */
  showNone?(reading: ReadContext): ShownListValue
  /** The numbers to store for the requested values, in order, without None. Throws `ValueFault`. */
  choose(asked: readonly ListInput[], element: Element, writing: FieldWriteContext): Promise<readonly number[]>
  /** The ids that are still valid defaults for a new artifact. */
  standing(ids: readonly number[], element: Element, writing: FieldWriteContext): Promise<readonly number[]>
  /** Converts defaults between definitions and structures: value keys, account ids, group numbers. */
  readDefault(given: unknown, path: string): number
  writeDefault(id: number): string | number | undefined
  /** Maps the values to another list with the same kind of bind; undefined if the binds differ. */
  migrate(
    ids: readonly number[],
    to: Element,
    migrating: Migrating,
  ): (Migrated & { value: readonly number[] }) | undefined
  /** How searches resolve the values. */
  readonly search: BoundSearch
}

export interface BoundSearch {
  /** The cause reported for an unknown name. */
  readonly cause: 'list_value' | 'user'
  /** The numbers of all values with this name, ignoring case and including hidden values. */
  named(name: string, asking: SearchContext): Promise<readonly number[]>
  /** The number for an id that is not numeric itself; 0 if nothing has this id; undefined if this is not an id. */
  numberOf?(id: string, asking: SearchContext): number | undefined
  /** All names, for suggestions after a typo; empty for lists of people, which are too long. */
  names(asking: SearchContext): readonly string[]
  /** How a single-value list is sorted; absent: it cannot be sorted. */
  sort?(field: FieldId): SortValue
  group(field: FieldId, telling: GroupContext): GroupValue
}

/** One value in all representations that responses use. */
export interface ShownListValue {
  readonly id: number | string
  readonly json: object
  /** The label on screens. */
  readonly label: string
  /** The text in CSV and flat lists. */
  readonly flat: string
}

/** One value of a request: resolved by name first if there is one, then by id. */
export interface ListInput {
  /** The path inside the item, for error reports. */
  readonly path: string
  readonly name?: string
  readonly id?: unknown
}
