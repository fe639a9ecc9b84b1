import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact, type FoundArtifact } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import { readVersions, type VersionRow, type Wanted } from './read-versions.ts'

interface FoundVersions {
  readonly now: FoundArtifact
  readonly size: number
  readonly rows: readonly VersionRow[]
}

/** An artifact that the viewer may see, and those of its versions that show him something. */
export async function findVersions(audience: Audience, id: ArtifactId, wanted: Wanted): Promise<FoundVersions> {
  const { context, db, viewer } = audience
  return untilUnchanged(async () => {
    const now = await findArtifact(context, db, viewer, id)
    const read = await readVersions(audience, now.sight, id, wanted)
    return read && { now, ...read }
  })
}
