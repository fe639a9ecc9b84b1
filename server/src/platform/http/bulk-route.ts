import type { TSchema } from 'typebox'
import type { ApiError } from '../messages/errors.ts'
import type { ResourceVersion } from '../wire/etag.ts'
import type { BulkLimits } from './bulk-lines.ts'
import type { WriteContext, WriteReport } from './write-context.ts'

/** A line that could be parsed. */
export interface BulkLine<L = unknown> {
  readonly line: number
  readonly value: L
}

/** The result of a line: as the single write would answer, or the error. */
export type LineResult =
  | {
      readonly status: number
      readonly id: number | null
      /** Becomes `etag`, without the part that identifies the representation. */
      readonly version?: ResourceVersion
      /** The object had the requested state already. */
      readonly isUnchanged?: true
      /** The changes that a dry run would make; set by `attempt`. */
      readonly report?: WriteReport
    }
  | { readonly error: ApiError; readonly id?: number | null }

/** The write context of a batch: one transaction. */
export interface BulkWriteContext extends WriteContext {
  /**
   * Runs one line inside a savepoint, with a report of its own. An `ApiError` rolls back this line only; any other
   * error fails the whole batch. `id` is reported with an error too.
   */
  attempt(write: (work: WriteContext) => Promise<LineResult>, id?: number): Promise<LineResult>
}

/** CSV for a bulk route: a row becomes the line that NDJSON would have. */
export interface BulkCsv<Call = unknown, Opened = unknown, L = unknown> {
  /** A small table, for the OpenAPI description. */
  readonly example: string
  /** Finds the columns of a header. Throws for a header that cannot be used. */
  readColumns(call: Call, opened: Opened, names: readonly string[]): CsvColumns<L>
}

export interface CsvColumns<L = unknown> {
  /** Names of known columns that are read-only, and are not read. */
  readonly ignored: readonly string[]
  /** Throws an `ApiError` for a row that cannot be a line. */
  toLine(cells: readonly string[]): L
}

/** A bulk route with its types erased. */
export interface BulkRoute {
  readonly line: TSchema
  readonly csv?: BulkCsv
  readonly limits: BulkLimits
  isSilent?(call: unknown): boolean
  open(call: unknown): Promise<unknown>
  prepareBatch?(call: unknown, lines: readonly BulkLine[], opened: unknown): Promise<unknown>
  handleBatch(
    call: unknown,
    lines: readonly BulkLine[],
    work: BulkWriteContext,
    opened: unknown,
    prepared: unknown,
  ): Promise<readonly LineResult[]>
}
