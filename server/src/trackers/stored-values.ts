import type { Db, Tx } from '../platform/database/db.ts'
import type { FieldId, ListValueId, TrackerId } from './tracker.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    /** Usage of stored values. The artifacts module provides it. */
    readonly storedValues: StoredValuesPort
  }
}

/** A list value and its field. */
export interface FieldValue {
  readonly field: FieldId
  readonly value: ListValueId
}

/** Batch queries; the results contain only entries with a count or use. */
export interface StoredValuesPort {
  /** The number of artifacts with a value in each field. */
  countFields(db: Db | Tx, tracker: TrackerId, fields: readonly FieldId[]): Promise<ReadonlyMap<FieldId, number>>
  /** The number of artifacts with each value chosen. */
  countValues(db: Db | Tx, tracker: TrackerId, values: readonly FieldValue[]): Promise<ReadonlyMap<ListValueId, number>>
  /** Fields that have had a value in any version of any artifact, including deleted ones. */
  usedFields(db: Db | Tx, tracker: TrackerId, fields: readonly FieldId[]): Promise<ReadonlySet<FieldId>>
  /** Values that have ever been chosen. */
  usedValues(db: Db | Tx, tracker: TrackerId, values: readonly FieldValue[]): Promise<ReadonlySet<ListValueId>>
}
