import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Audience } from '../../artifacts/reading/audience.ts'
import type { IncomingReference, IncomingReferences } from '../../artifacts/links/incoming-references.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import type { ProjectId } from '../../projects/project.ts'
import { usesService } from '../../projects/project-services/uses-service.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { type RevisionToRead, canReadRevision } from '../access/can-read-revision.ts'
import { accessStamp } from '../access/load-access-inputs.ts'
import { SVN_SERVICE } from '../repository.ts'

/** Limit per artifact. */
const MAX_COMMITS_PER_ARTIFACT = 100

interface ReferringCommit extends RevisionToRead {
  readonly project_id: ProjectId
  readonly target_id: ArtifactId
}

/**
 * Commits whose message names an artifact. A viewer who may not read all changed paths may not read the message either,
 * so those commits are omitted.
 */
export const commitsReferringTo: IncomingReferences = {
  find: findReferringCommits,
  exists: (artifact) =>
    sql`exists (select from repository_reference where repository_reference.target_id = ${artifact})`,
}

async function findReferringCommits(
  { context, db, viewer }: Audience,
  artifacts: readonly ArtifactId[],
): Promise<ReadonlyMap<ArtifactId, readonly IncomingReference[]>> {
  const { login } = viewer
  if (login === undefined || context.config.WAYPOST_SVN_ROOT === null) return new Map()
  const { rows } = await sql<ReferringCommit>`
    select repository.id, repository.project_id, ${projectShortname} as shortname, repository.name, ${accessStamp} as stamp,
      reference.revision, reference.target_id
    from (
      select distinct repository_reference.target_id, repository_reference.repository_id, repository_reference.revision
      from repository_reference where repository_reference.target_id = any(${artifacts}::bigint[])
    ) reference join repository on repository.id = reference.repository_id ${joinProject(sql`repository.project_id`)}
    where repository.deleted_on is null and ${usesService(SVN_SERVICE)} and ${mayEnter(viewer, aliases('project'))}
    order by reference.target_id, repository.id, reference.revision limit ${MAX_COMMITS_PER_ARTIFACT * artifacts.length}`.execute(
    db,
  )
  const shown = new Map<ArtifactId, IncomingReference[]>()
  for (const row of rows) {
    const own = shown.get(row.target_id) ?? []
    if (own.length >= MAX_COMMITS_PER_ARTIFACT || !(await canReadRevision(context, row, login))) continue
    const value = `${row.name}/${row.revision}`
    own.push({ ref: `svn #${value}`, keyword: 'svn', value, project_id: row.project_id })
    shown.set(row.target_id, own)
  }
  return shown
}
