import type { ArtifactId } from '../../../src/artifacts/artifact.ts'
import * as original from '../../../src/artifacts/update-artifact/load.ts'
import type { Author } from '../../../src/artifacts/update-artifact/version-draft.ts'
import { toId } from '../../../src/platform/database/ids.ts'
import type { TrackerId } from '../../../src/trackers/tracker.ts'
import { isPlanted } from './plant.ts'

export * from '../../../src/artifacts/update-artifact/load.ts'

/** `swapped-id`: changes the artifact before. */
export function loadArtifactForChange(
  author: Author,
  id: ArtifactId,
  precondition: original.Precondition,
  tracker?: TrackerId,
) {
  const loaded = isPlanted('swapped-id') ? toId<ArtifactId>(id - 1) : id
  return original.loadArtifactForChange(author, loaded, precondition, tracker)
}
