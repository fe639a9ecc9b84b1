import { sql } from 'kysely'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { IncomingReference, IncomingReferences } from '../../artifacts/links/incoming-references.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { usesService } from '../../projects/project-services/uses-service.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { type ReadRevision, readsRevision } from '../access/reads-revision.ts'
import { accessStamp } from '../access/read-ground.ts'
import { SERVICE } from '../repository.ts'

/** Of one artifact. */
const MOST = 100

interface Row extends ReadRevision {
  readonly project_id: ProjectId
  readonly target_id: ArtifactId
}

/**
 * Commits whose message names an artifact: `svn #core/318`. Who may not read all that one has changed may not read its
 * message either, and is not shown it.
 */
export const commitsReferringTo: IncomingReferences = async ({ context, db, viewer }, artifacts) => {
  const { login } = viewer
  if (login === undefined || context.config.WAYPOST_SVN_ROOT === null) return new Map()
  const { rows } = await sql<Row>`
    select repository.id, repository.project_id, ${shortnameOf} as shortname, repository.name, ${accessStamp} as stamp,
      reference.revision, reference.target_id
    from (
      select distinct repository_reference.target_id, repository_reference.repository_id, repository_reference.revision
      from repository_reference where repository_reference.target_id = any(${artifacts}::bigint[])
    ) reference join repository on repository.id = reference.repository_id ${itsProject(sql`repository.project_id`)}
    where repository.deleted_on is null and ${usesService(SERVICE)} and ${mayEnter(viewer)}
    order by reference.target_id, repository.id, reference.revision limit ${MOST * artifacts.length}`.execute(db)
  const shown = new Map<ArtifactId, IncomingReference[]>()
  for (const row of rows) {
    const own = shown.get(row.target_id) ?? []
    if (own.length >= MOST || !(await readsRevision(context, row, login))) continue
    const value = `${row.name}/${row.revision}`
    own.push({ ref: `svn #${value}`, keyword: 'svn', value, project_id: row.project_id })
    shown.set(row.target_id, own)
  }
  return shown
}
