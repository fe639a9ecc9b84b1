import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { StoredLinks } from '../../trackers/field-types/field-type.ts'
import type { ArtifactId } from '../artifact.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Lookups } from '../update-artifact/lookups.ts'

/** A link from another artifact to this one, to be written there; `type` null removes it. */
export interface ReverseLink {
  readonly source: ArtifactId
  readonly type: string | null
  readonly path: string
}

/** The artifact whose links are planned, and who plans them. */
export interface LinkPlanning {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
  readonly lookups: Lookups
  readonly project_id: ProjectId
  /** Undefined for a new artifact. */
  readonly found: FoundArtifact | undefined
  /** True if the tracker accepts reverse links other than the parent here. */
  readonly editsReverse: boolean
  /** The stored links of the artifact, including those that the viewer does not see. */
  readonly stored: StoredLinks
}
