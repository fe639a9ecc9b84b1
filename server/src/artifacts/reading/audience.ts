import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'

/** A caller, and the connection that answers. */
export interface Asker {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
}

/** An asker to whom an artifact is represented. */
export interface Audience extends Asker {
  readonly language: Catalogue
}
