import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact, type FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { readVersions, type VisibleVersionRow, type VersionQuery } from './read-versions.ts'

interface FoundVersions {
  readonly now: FoundArtifact
  readonly size: number
  readonly rows: readonly VisibleVersionRow[]
}

/** A visible artifact and the versions of it that show something to the viewer. */
export async function findVersions(audience: Audience, id: ArtifactId, wanted: VersionQuery): Promise<FoundVersions> {
  const { context, db, viewer } = audience
  return retryOnConflict(async () => {
    const now = await findArtifact(context, db, viewer, id)
    const read = await readVersions(audience, now.access, id, wanted)
    return read && { now, ...read }
  })
}
