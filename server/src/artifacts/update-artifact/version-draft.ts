import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { AppliedRule } from '../../platform/http/write-context.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, Transition } from '../../trackers/tracker.ts'
import type { NewAttachment } from '../attachments/plan-attaching.ts'
import type { Refusals } from '../attachments/seal-named-files.ts'
import type { ReverseLink } from '../links/link-planning.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Lookups } from './lookups.ts'
import type { TextReference } from './text-references.ts'

/** The author and the time of a write. */
export interface Author {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly now: Date
  /** Lookups shared with other drafts. */
  readonly lookups?: Lookups
  /** Files whose content the check refused. */
  readonly refusedFiles?: Refusals | undefined
  /** In a dry run, rules on unreadable fields are not checked: unlimited guesses would reveal hidden values. */
  readonly isDryRun?: boolean
  /** Suppresses notifications, which only tracker administrators may do. */
  readonly isSilent?: boolean | undefined
}

export interface WriteTarget {
  readonly access: TrackerAccess
  /** Undefined for a new artifact. */
  readonly found: FoundArtifact | undefined
}

/** The values that a write stores, by field. */
export type Changes = ReadonlyMap<FieldId, unknown>

export interface VersionComment {
  readonly body: string
  readonly format: TextFormat
  readonly groups: readonly number[] | null
  readonly references: readonly TextReference[]
}

/** A version that passed all checks and can be written. */
export interface VersionDraft {
  readonly changes: Changes
  readonly comment: VersionComment | null
  readonly transition: Transition | undefined
  readonly reverse: readonly ReverseLink[]
  /** Free files that become attachments of the artifact. */
  readonly attached: readonly NewAttachment[]
  /** Fields that start with copies of another artifact's files. */
  readonly copied: ReadonlySet<FieldId>
  readonly rules: readonly AppliedRule[]
}
