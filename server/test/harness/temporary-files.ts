import { sql } from 'kysely'
import type { FileId, StoredFile } from '../../src/files/file.ts'
import { readFiles } from '../../src/files/find-files.ts'
import type { Context } from '../../src/platform/operation/context.ts'
import type { TestClient } from './client.ts'
import { type TestPerson, TOM } from '../fixtures/people.ts'

/** Chunked uploads as clients send them. */
export function uploadsBy(api: TestClient, as: TestPerson = TOM) {
  return {
    create: (content: Buffer | string, more: object = {}) =>
      api.post('/artifact_temporary_files', {
        as,
        body: { name: 'core.log', mimetype: 'text/plain', content: base64(content), ...more },
      }),
    append: (id: number, offset: number, content: Buffer | string) =>
      api.put(`/artifact_temporary_files/${id}`, { as, body: { content: base64(content), offset } }),
    read: (id: number, query = '') => api.get(`/artifact_temporary_files/${id}${query}`, { as }),
    list: (query = '') => api.get(`/artifact_temporary_files${query}`, { as }),
    remove: (id: number) => api.delete(`/artifact_temporary_files/${id}`, { as }),
  }
}

export function base64(content: Buffer | string): string {
  return Buffer.from(content).toString('base64')
}

export async function storedFile({ db }: Pick<Context, 'db'>, id: FileId): Promise<StoredFile> {
  const file = (await readFiles(db, [id])).get(id)
  if (!file) throw new Error(`There is no file ${id}.`)
  return file
}

/** The names of all blobs of a kind. */
export async function blobsOf({ blobs }: Pick<Context, 'blobs'>, kind: 'pieces' | 'content' | 'previews') {
  const keys: string[] = []
  for await (const { key } of blobs.list(kind)) keys.push(key)
  return keys.toSorted()
}

/** Removes blobs that an earlier test left in the store. */
export async function emptyStore({ blobs }: Pick<Context, 'blobs'>): Promise<void> {
  for (const kind of ['pieces', 'content', 'previews'] as const)
    for await (const { key } of blobs.list(kind)) await blobs.remove(key)
}

/** A row as the announcement of an upload leaves it. */
export async function announced(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  size: number,
  { as = TOM, field_id = 5001 }: { as?: TestPerson; field_id?: number } = {},
): Promise<StoredFile> {
  const now = clock.now()
  const { rows } = await sql<{ id: FileId }>`
    insert into file (uploader_id, name, media_type, field_id, size, created_on, expires_on)
    values (${as.id}, 'a.bin', 'application/octet-stream', ${field_id}, ${size}, ${now},
      ${new Date(now.getTime() + 4 * 3_600_000)}) returning id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('Not inserted.')
  return storedFile({ db }, row.id)
}
