import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/refusals.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { cleanName } from '../file-name.ts'
import type { StoredFile } from '../file.ts'
import { fileColumns } from '../find-files.ts'
import { requireRoom, reserve } from '../quota.ts'
import { FileInfo, representFile } from '../represent-file.ts'
import { orRemove, readBase64, recordChunk, storeChunk } from './incoming-chunk.ts'
import { Content, endOf, quotaHeaders, usageHeader } from './temporary-file.ts'

export const createTemporaryFile = writeRoute({
  method: 'POST',
  path: '/artifact_temporary_files',
  operationId: 'createTemporaryFile',
  summary: 'Upload a file, or the first chunk of one. It is yours alone until you name it in a file field.',
  access: 'signed_in',
  action: null,
  body: Type.Object({
    name: Type.String({ maxLength: 255, description: 'Without any folder. Leading dots are removed.' }),
    mimetype: Type.String({ maxLength: 255, description: 'Shown to others; the file is served as what it is.' }),
    content: Content,
    description: Type.Optional(Type.String({ maxLength: 10_000, default: '' })),
  }),
  answer: FileInfo,
  status: 201,
  answerHeaders: quotaHeaders,
  checkBody({ name, content }) {
    cleanName(name)
    readBase64(content)
  },
  async prepare({ context, viewer, body, isDryRun = false }) {
    const bytes = readBase64(body.content)
    await requireRoom(context, requireAccount(viewer), bytes.length)
    return storeChunk(context, bytes, isDryRun)
  },
  handle({ context, viewer, body }, work, chunk) {
    return orRemove(context, work, chunk, async () => {
      const account = requireAccount(viewer)
      const now = context.clock.now()
      const usage = await reserve(work.tx, context, account, chunk.size)
      const { rows } = await sql<StoredFile>`
        insert into file (uploader_id, name, media_type, description, size, received, chunks, last_chunk, created_on,
          expires_on)
        values (${account}, ${cleanName(body.name)}, ${body.mimetype}, ${body.description ?? ''}, ${chunk.size},
          ${chunk.size}, 1, ${chunk.digest}, ${now}, ${endOf(now)})
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
