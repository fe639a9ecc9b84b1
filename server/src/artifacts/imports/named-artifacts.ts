import { sql } from 'kysely'
import type { NamedObjects } from '../../platform/http/resolve-name.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { isMemberOf } from '../../projects/visibility.ts'
import { isGranted } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import { artifactsByKey } from './source-key.ts'

const MAX_CANDIDATES = 20

interface Candidate {
  readonly id: ArtifactId
  readonly label: string
  readonly is_visible: boolean
}

/**
 * `/artifacts/@ABC-123`, by the key in the source of an import. Only visible artifacts count; several are an error that
 * lists them. Members of a suspended project get an error that says so, as by the id.
 */
export const namedArtifacts: NamedObjects = {
  collection: 'artifacts',
  async findId({ db }, viewer, key) {
    const joined = joinTrackerProjectAndMemberships(viewer)
    const { rows } = await sql<Candidate>`
      select * from (
        select artifact.id, project.shortname || ' / ' || tracker.item_name as label,
          ${maySeeArtifact(viewer, joined)} as is_visible,
          artifact.deleted_on is null and tracker.deleted_on is null and project.status = 'suspended'
            and ${isMemberOf(viewer, joined)} and ${isGranted(viewer, joined)} as is_suspended
        from artifact ${joined} where artifact.id = any(array(select ${artifactsByKey(key)}))
      ) candidate
      where is_visible or is_suspended order by is_visible desc, id limit ${MAX_CANDIDATES}`.execute(db)
    const visible = rows.filter(({ is_visible }) => is_visible)
    if (visible.length > 1)
      throw new ApiError('key_ambiguous', { path: 'id', allowed: visible.map(({ id, label }) => ({ id, label })) })
    return rows[0]?.id
  },
}
