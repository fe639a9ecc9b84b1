import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { sanitizeFileName } from '../file-name.ts'
import type { StoredFile } from '../file.ts'
import { fileColumns } from '../find-files.ts'
import { assertQuota, reserveQuota } from '../quota.ts'
import { FileInfo, representFile } from '../represent-file.ts'
import { removeChunkIfRefused, parseChunk, recordChunk, storeChunk } from './incoming-chunk.ts'
import { ChunkContent, temporaryFileExpiry, quotaHeaders, usageHeader } from './temporary-file.ts'

export const createTemporaryFile = writeRoute({
  method: 'POST',
  path: '/artifact_temporary_files',
  operationId: 'createTemporaryFile',
  summary: 'Upload a file or its first chunk. Only you can see it until it is attached to a file field.',
  description:
    'Begins an upload in chunks of base64. Every signed-in account. Chunks over `X-UPLOAD-MAX-FILE-CHUNKSIZE`, and files over the limit or quota, are refused.',
  access: 'signed_in',
  action: null,
  body: Type.Object({
    name: Type.String({ maxLength: 255, description: 'Without folders. Leading dots are removed.' }),
    mimetype: Type.String({
      maxLength: 255,
      description: 'Shown to users; the file is served with its detected type.',
    }),
    content: ChunkContent,
    description: Type.Optional(Type.String({ maxLength: 10_000, default: '' })),
  }),
  answer: FileInfo,
  status: 201,
  answerOptions: { headers: quotaHeaders },
  bodyRules: {
    check({ name, content }) {
      sanitizeFileName(name)
      parseChunk(content)
    },
  },
  async prepare({ context, viewer, body, isDryRun = false }) {
    const bytes = parseChunk(body.content)
    await assertQuota(context, requireAccount(viewer), bytes.length)
    return storeChunk(context, bytes, isDryRun)
  },
  handle({ context, viewer, body }, work, chunk) {
    return removeChunkIfRefused(context, work, chunk, async () => {
      const account = requireAccount(viewer)
      const now = context.clock.now()
      const usage = await reserveQuota(work.tx, context, account, chunk.size)
      const { rows } = await sql<StoredFile>`
        insert into file (uploader_id, name, media_type, description, size, received, chunks, last_chunk, created_on,
          expires_on)
        values (${account}, ${sanitizeFileName(body.name)}, ${body.mimetype}, ${body.description ?? ''}, ${chunk.size},
          ${chunk.size}, 1, ${chunk.digest}, ${now}, ${temporaryFileExpiry(now)})
        returning ${fileColumns}`.execute(work.tx)
      const [file] = rows
      if (!file) throw new Error('A file was not inserted.')
      await recordChunk(work.tx, file.id, 0, chunk)
      const made = representFile(file, { isTemporary: true })
      const { name, size, type, description } = made
      await work.change({
        object: 'artifact_temporary_files',
        op: 'create',
        after: { name, size, type, description },
      })
      return { body: made, location: made.uri, headers: usageHeader(usage) }
    })
  },
})
