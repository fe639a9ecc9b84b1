import type { Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'

/** One file of what a person gets about himself: its rows, a line each. */
export interface ExportSource {
  /** `access_keys` becomes `access_keys.ndjson`. */
  readonly name: string
  /** What the person may still read; `tx` sees one moment. What may be much comes one by one. */
  read(
    tx: Tx,
    context: Context,
    person: Viewer & { readonly account_id: AccountId },
  ): Promise<readonly object[]> | AsyncIterable<object>
}

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Rooms above add theirs in `ports.ts`. */
    readonly exportSources: readonly ExportSource[]
  }
}
