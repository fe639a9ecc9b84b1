import type { Db, Tx } from '../platform/database/db.ts'
import type { FieldId, ListValueId, TrackerId } from './tracker.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    /** How much is stored in the fields of a tracker. Filled from the artifacts. */
    readonly storedValues: StoredValuesPort
  }
}

/** A value of a list, and the field that it belongs to. */
export interface FieldValue {
  readonly field: FieldId
  readonly value: ListValueId
}

/** Each asks for many at once, and answers with those that there is something to say about. */
export interface StoredValuesPort {
  /** In how many artifacts a field has a value. */
  countFields(db: Db | Tx, tracker: TrackerId, fields: readonly FieldId[]): Promise<ReadonlyMap<FieldId, number>>
  /** In how many artifacts a value is chosen. */
  countValues(db: Db | Tx, tracker: TrackerId, values: readonly FieldValue[]): Promise<ReadonlyMap<ListValueId, number>>
  /** Fields that ever had a value in any version of any artifact, deleted ones too. */
  usedFields(db: Db | Tx, tracker: TrackerId, fields: readonly FieldId[]): Promise<ReadonlySet<FieldId>>
  /** Values that were ever chosen. */
  usedValues(db: Db | Tx, tracker: TrackerId, values: readonly FieldValue[]): Promise<ReadonlySet<ListValueId>>
}
