import { sql } from 'kysely'
import { hiddenFrom } from '../../accounts/refusals.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { mayEnter } from '../../projects/visibility.ts'
import type { Sight } from '../../trackers/sight.ts'
import { administers } from '../../trackers/visibility.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { artifactColumns, findArtifact } from '../reading/find-artifact.ts'
import { itsPlace } from '../visibility.ts'

interface Search {
  readonly context: Context
  readonly tx: Tx
  readonly viewer: Viewer
  readonly id: ArtifactId
}

/**
 * An artifact in the trash, for those who administer its tracker, and locked; to others there is none. Who sees one that
 * is not in the trash learns whether he may (`require`), before he learns that it is not there.
 */
export async function findDeleted(
  { context, tx, viewer, id }: Search,
  where: { readonly inDeletedTrackers: boolean },
  require: (sight: Sight) => void,
): Promise<Artifact> {
  const { rows } = await sql<Artifact>`
    select ${artifactColumns} from artifact ${itsPlace}
    where artifact.id = ${id} and artifact.deleted_on is not null
      and (tracker.deleted_on is null or ${where.inDeletedTrackers}) and ${mayEnter(viewer)} and ${administers(viewer)}
    for no key update of artifact`.execute(tx)
  const [found] = rows
  if (found) return found
  const { sight } = await findArtifact(context, tx, viewer, id)
  require(sight)
  throw hiddenFrom(viewer)
}
