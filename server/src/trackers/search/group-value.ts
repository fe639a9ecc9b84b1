import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { FieldId } from '../tracker.ts'
import type { Unit } from './condition.ts'

/** The grouping of artifacts. Field types create it; the artifacts module compiles it to SQL. */
export type GroupValue =
  | GroupedList
  | { readonly kind: 'person'; readonly of: { readonly field: FieldId } | { readonly fact: PersonFact } }
  | { readonly kind: 'date'; readonly of: DateField | { readonly fact: InstantFact } }
  /** Whether the artifact is open: one of these values is chosen. Null: artifacts are always open. */
  | { readonly kind: 'open'; readonly status: { readonly field: FieldId; readonly ids: readonly number[] } | null }
  /** The artifacts that have it as a child. Links are current, also in counts of the past. */
  | { readonly kind: 'parent' }

export interface GroupedList {
  readonly kind: 'list'
  readonly field: FieldId
  /** In order. Other numbers are deleted values. */
  readonly values: readonly GroupedValue[]
  /** Added values follow, by label; returns their id in responses. Absent: the list has no added values. */
  readonly idOfAdded?: (number: number) => string
}

export interface GroupedValue {
  /** The number in the index. */
  readonly number: number
  /** The id in responses. */
  readonly id: number | string
  readonly label: string
  /** The value can no longer be chosen. */
  readonly isHidden: boolean
}

interface DateField {
  readonly field: FieldId
  readonly unit: Exclude<Unit, 'number'>
}

export type PersonFact = 'submitted_by' | 'last_update_by'
export type InstantFact = 'submitted_on' | 'last_modified_date'

/** The tracker and language for labels. */
export interface GroupContext {
  readonly tracker: LoadedTracker
  readonly language: Catalogue
}
