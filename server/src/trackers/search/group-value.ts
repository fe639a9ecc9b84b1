import type { Catalogue } from '../../platform/words/catalogue.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { FieldId } from '../tracker.ts'
import type { Unit } from './condition.ts'

/** What artifacts are counted by, whatever the field: types of fields say it, the room of artifacts makes SQL of it. */
export type GroupValue =
  | GroupedList
  | { readonly kind: 'person'; readonly of: { readonly field: FieldId } | { readonly fact: PersonFact } }
  | { readonly kind: 'date'; readonly of: DateField | { readonly fact: InstantFact } }
  /** Whether it is open: one of these is chosen. Null: nothing is ever closed. */
  | { readonly kind: 'open'; readonly status: { readonly field: FieldId; readonly ids: readonly number[] } | null }

export interface GroupedList {
  readonly kind: 'list'
  readonly field: FieldId
  /** In order. What is not among them is no value any more. */
  readonly values: readonly GroupedValue[]
  /** What people have added to it comes behind them, by its label, and has this id in answers. Absent: nothing is. */
  readonly idOfAdded?: (number: number) => string
}

export interface GroupedValue {
  /** As in the index. */
  readonly number: number
  /** As in answers. */
  readonly id: number | string
  readonly label: string
  /** Nobody can choose it any more. */
  readonly isHidden: boolean
}

interface DateField {
  readonly field: FieldId
  readonly unit: Exclude<Unit, 'number'>
}

export type PersonFact = 'submitted_by' | 'last_update_by'
export type InstantFact = 'submitted_on' | 'last_modified_date'

/** Where, and to whom, groups are told. */
export interface Telling {
  readonly tracker: LoadedTracker
  readonly language: Catalogue
}
