import { type RawBuilder, sql } from 'kysely'
import { failpoint } from '#failpoint'
import { sizeOfFiles } from '../../files/size-of-files.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { ProjectContents } from '../../projects/trash/project-contents.ts'
import type { ProjectPurger } from '../../projects/trash/purge-projects.ts'
import type { ArtifactId } from '../artifact.ts'
import { purgeArtifacts } from './purge-artifact.ts'
import { awaitsArchive } from './purge-job.ts'

/** Limits the duration of locks. */
const PURGE_BATCH_SIZE = 500

/** The ids of all artifacts of a project, deleted or not. */
export function artifactsOfProject(project: ProjectId): RawBuilder<unknown> {
  return sql`select artifact.id from artifact where artifact.project_id = ${project}`
}

/**
 * Purges the artifacts of a project with their files. Archives outlive the project, so artifacts wait for their archive.
 * The audit log has one row for the project.
 */
export const purgeArtifactsOfProject: ProjectPurger = async ({ db }, { id }) => {
  for (let count = PURGE_BATCH_SIZE; count === PURGE_BATCH_SIZE; ) {
    count = await inTransaction(db, (tx) => purgeBatch(tx, id))
    failpoint('project.batch_purged')
  }
  const { rows } = await sql`${artifactsOfProject(id)} limit 1`.execute(db)
  return rows.length === 0 ? 'done' : 'waiting'
}

async function purgeBatch(tx: Tx, project: ProjectId): Promise<number> {
  const { rows } = await sql<{ id: ArtifactId }>`
    ${artifactsOfProject(project)} and not ${awaitsArchive}
    order by artifact.id limit ${PURGE_BATCH_SIZE} for update skip locked`.execute(tx)
  if (rows.length > 0)
    await purgeArtifacts(
      tx,
      rows.map(({ id }) => id),
    )
  return rows.length
}

export const countFiles: ProjectContents = async (db, project) => {
  const files = sql`select artifact_file.file_id from artifact_file where artifact_file.project_id = ${project}`
  const { rows } = await sql<{ files: number; bytes: number }>`
    select (select count(*) from (${files}) each) as files, ${sizeOfFiles(files)} as bytes`.execute(db)
  return { ...rows[0] }
}
