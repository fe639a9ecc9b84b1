import type { Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'

/** One file of a personal data export, one line per row. */
export interface ExportSource {
  /** `access_keys` becomes `access_keys.ndjson`. */
  readonly name: string
  /** Rows that the account may still read; `tx` is one snapshot. Large sources return an async iterable. */
  read(
    tx: Tx,
    context: Context,
    person: Viewer & { readonly account_id: AccountId },
  ): Promise<readonly object[]> | AsyncIterable<object>
}

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Other modules add theirs in `ports.ts`. */
    readonly exportSources: readonly ExportSource[]
  }
}
