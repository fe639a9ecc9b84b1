import { sql } from 'kysely'
import type { FileId, StoredFile } from '../../../files/file.ts'
import { readFiles } from '../../../files/find-files.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import type { Artifact, ArtifactId } from '../../artifact.ts'
import { artifactColumns } from '../../reading/look-rows.ts'
import { measureZip, zipArchive } from './archive-zip.ts'
import { writeArtifactDocument } from './artifact-document.ts'
import { type ArchivedPerson, findPeople } from './people-document.ts'

/** Writes a queued archive. An archive that is already written stays; a restored artifact needs none. */
export async function writeArchive(context: Context, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<Artifact & { deleted_by: AccountId | null }>`
    select ${artifactColumns}, archive.deleted_by from artifact_archive archive
      join artifact on artifact.id = archive.artifact_id and artifact.deleted_on = archive.deleted_on
    where archive.id = ${id} and archive.written_on is null and not archive.is_restored for update`.execute(tx)
  const [artifact] = rows
  if (!artifact) return
  await holdFiles(tx, id, artifact.id)
  const files = await findArchived(tx, id)
  const { document, people: ids } = await writeArtifactDocument(context, tx, artifact, files)
  const people = await findPeople(tx, [...ids, ...(artifact.deleted_by === null ? [] : [artifact.deleted_by])])
  const { size, sha256 } = await measureZip(zipArchive(context, { document, people, files }))
  await sql`
    update artifact_archive set written_on = ${context.clock.now()}, document = ${document},
      people = ${JSON.stringify(people)}::jsonb, size = ${size}, sha256 = ${sha256}
    where id = ${id}`.execute(tx)
}

/** Holds all current and past files of the artifact for the lifetime of the archive. */
async function holdFiles(tx: Tx, archive: number, artifact: ArtifactId): Promise<void> {
  await sql`
    insert into archive_file (archive_id, file_id)
    select ${archive}::bigint, file_id from artifact_file where artifact_id = ${artifact}
    on conflict do nothing`.execute(tx)
}

/** The files of an archive, ordered by id. */
export async function findArchived(db: Db | Tx, archive: number): Promise<readonly StoredFile[]> {
  const { rows } = await sql<{ file_id: FileId }>`
    select file_id from archive_file where archive_id = ${archive} order by file_id`.execute(db)
  const files = await readFiles(
    db,
    rows.map(({ file_id }) => file_id),
  )
  return rows.flatMap(({ file_id }) => files.get(file_id) ?? [])
}

/** Writes the queued archives of an artifact before its purge. */
export async function writeQueuedArchives(context: Context, tx: Tx, artifact: ArtifactId): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from artifact_archive where artifact_id = ${artifact} and written_on is null and not is_restored`.execute(
    tx,
  )
  for (const { id } of rows) await writeArchive(context, tx, id)
}

/** Updates the names of people in an archive. */
export async function refreshPeople(context: Context, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ document: string; people: readonly ArchivedPerson[] }>`
    select document, people from artifact_archive where id = ${id} and document is not null for update`.execute(tx)
  const [archive] = rows
  if (!archive) return
  const people = await findPeople(
    tx,
    archive.people.map((person) => person.id),
  )
  const parts = { document: archive.document, people, files: await findArchived(tx, id) }
  const { size, sha256 } = await measureZip(zipArchive(context, parts))
  await sql`
    update artifact_archive set people = ${JSON.stringify(people)}::jsonb, size = ${size}, sha256 = ${sha256}
    where id = ${id}`.execute(tx)
}
