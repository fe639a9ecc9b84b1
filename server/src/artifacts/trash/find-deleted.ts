import { sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { mayEnter } from '../../projects/visibility.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { administers } from '../../trackers/visibility.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import { joinTrackerAndProject } from '../visibility.ts'

interface DeletedLookup {
  readonly context: Context
  readonly tx: Tx
  readonly viewer: Viewer
  readonly id: ArtifactId
}

/**
 * Locks and returns an artifact in the trash, for tracker administrators; for others it does not exist. For a visible
 * artifact that is not in the trash, permission (`require`) is checked before "not in the trash" is reported.
 */
export async function findDeleted(
  { context, tx, viewer, id }: DeletedLookup,
  where: { readonly inDeletedTrackers: boolean },
  require: (access: TrackerAccess) => void,
): Promise<Artifact> {
  const { rows } = await sql<Artifact>`
    select ${artifactColumns} from artifact ${joinTrackerAndProject}
    where artifact.id = ${id} and artifact.deleted_on is not null
      and (tracker.deleted_on is null or ${where.inDeletedTrackers}) and ${mayEnter(viewer, joinTrackerAndProject)} and ${administers(viewer, joinTrackerAndProject)}
    for no key update of artifact`.execute(tx)
  const [found] = rows
  if (found) return found
  const { access } = await findArtifact(context, tx, viewer, id)
  require(access)
  throw hiddenError(viewer)
}
