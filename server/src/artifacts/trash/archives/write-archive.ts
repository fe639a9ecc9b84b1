import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import type { Artifact, ArtifactId } from '../../artifact.ts'
import { artifactColumns } from '../../reading/find-artifact.ts'
import { measureZip, zipArchive } from './archive-zip.ts'
import { writeArtifactDocument } from './artifact-document.ts'
import { type ArchivedPerson, findPeople } from './people-document.ts'

/** Writes an archive that was ordered. One that is written already stays; an artifact that came back needs none. */
export async function writeArchive(context: Context, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<Artifact & { deleted_by: AccountId | null }>`
    select ${artifactColumns}, archive.deleted_by from artifact_archive archive
      join artifact on artifact.id = archive.artifact_id and artifact.deleted_on = archive.deleted_on
    where archive.id = ${id} and archive.written_on is null and not archive.is_restored for update`.execute(tx)
  const [artifact] = rows
  if (!artifact) return
  const { document, people: ids } = await writeArtifactDocument(context, tx, artifact)
  const people = await findPeople(tx, [...ids, ...(artifact.deleted_by === null ? [] : [artifact.deleted_by])])
  const { size, sha256 } = measureZip(await zipArchive(document, people))
  await sql`
    update artifact_archive set written_on = ${context.clock.now()}, document = ${document},
      people = ${JSON.stringify(people)}::jsonb, size = ${size}, sha256 = ${sha256}
    where id = ${id}`.execute(tx)
}

/** Those of an artifact that is about to be purged. */
export async function writeOrdered(context: Context, tx: Tx, artifact: ArtifactId): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from artifact_archive where artifact_id = ${artifact} and written_on is null and not is_restored`.execute(
    tx,
  )
  for (const { id } of rows) await writeArchive(context, tx, id)
}

/** Names people in an archive as they are called now. */
export async function refreshPeople(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ document: string; people: readonly ArchivedPerson[] }>`
    select document, people from artifact_archive where id = ${id} and document is not null for update`.execute(tx)
  const [archive] = rows
  if (!archive) return
  const people = await findPeople(
    tx,
    archive.people.map((person) => person.id),
  )
  const { size, sha256 } = measureZip(await zipArchive(archive.document, people))
  await sql`
    update artifact_archive set people = ${JSON.stringify(people)}::jsonb, size = ${size}, sha256 = ${sha256}
    where id = ${id}`.execute(tx)
}
