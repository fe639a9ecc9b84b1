import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { StoredFile } from '../file.ts'
import { fileColumns } from '../find-files.ts'
import { assertQuota, reserveQuota, getUploadUsage } from '../quota.ts'
import { FileInfo, representFile } from '../represent-file.ts'
import {
  chunkDigest,
  dropChunk,
  type IncomingChunk,
  removeChunkIfRefused,
  parseChunk,
  recordChunk,
  storeChunk,
} from './incoming-chunk.ts'
import {
  ChunkContent,
  temporaryFileExpiry,
  findTemporary,
  lockTemporary,
  quotaHeaders,
  temporaryFileParam,
  usageHeader,
} from './temporary-file.ts'

export const appendChunk = writeRoute({
  method: 'PUT',
  path: '/artifact_temporary_files/:id',
  operationId: 'appendChunk',
  summary: 'Append the next chunk. The last chunk may be sent again if its response was lost.',
  description:
    'Continues an upload in chunks; `offset` is the number of the chunk. The account that began the upload. A chunk out of order is refused; uploads of others are 404.',
  access: 'signed_in',
  action: null,
  params: { id: temporaryFileParam },
  body: Type.Object({
    content: ChunkContent,
    offset: Type.Integer({ description: 'The number of the chunk, not a byte offset; the second chunk is 2.' }),
  }),
  answer: FileInfo,
  answerOptions: { headers: quotaHeaders },
  bodyRules: {
    check({ content }) {
      parseChunk(content)
    },
  },
  async prepare({ context, viewer, params, body, isDryRun = false }) {
    const account = requireAccount(viewer)
    const file = await findTemporary(context.db, context.clock.now(), account, params.id)
    const bytes = parseChunk(body.content)
    const known = { size: bytes.length, digest: chunkDigest(bytes), key: null }
    if (isRepeated(file, body.offset, known)) return known
    requireNext(file, body.offset)
    await assertQuota(context, account, bytes.length)
    return storeChunk(context, bytes, isDryRun)
  },
  handle({ context, viewer, params, body }, work, chunk) {
    return removeChunkIfRefused(context, work, chunk, async () => {
      const account = requireAccount(viewer)
      const now = context.clock.now()
      const file = await lockTemporary(work.tx, now, account, params.id)
      if (isRepeated(file, body.offset, chunk)) {
        await dropChunk(work, chunk)
        const usage = await getUploadUsage(work.tx, now, account)
        return { body: representFile(file, { isTemporary: true }), headers: usageHeader(usage) }
      }
      requireNext(file, body.offset)
      const usage = await reserveQuota(work.tx, context, account, chunk.size)
      const longer = await append(work, file, chunk, temporaryFileExpiry(now))
      return { body: representFile(longer, { isTemporary: true }), headers: usageHeader(usage) }
    })
  },
})

/** The first chunk is sent by POST, so a PUT cannot repeat it. */
function isRepeated({ chunks, last_chunk }: StoredFile, number: number, { digest }: IncomingChunk): boolean {
  return number === chunks && chunks > 1 && digest === last_chunk
}

function requireNext({ chunks }: StoredFile, number: number): void {
  const next = chunks + 1
  if (number !== next) throw new ApiError('rule_violated', { path: 'offset', cause: 'chunk_order', allowed: [next] })
}

async function append(
  work: WriteContext,
  file: StoredFile,
  chunk: IncomingChunk,
  expires_on: Date,
): Promise<StoredFile> {
  await recordChunk(work.tx, file.id, file.received, chunk)
  const { rows } = await sql<StoredFile>`
    update file set size = size + ${chunk.size}, received = received + ${chunk.size}, chunks = chunks + 1,
      last_chunk = ${chunk.digest}, expires_on = ${expires_on}
    where id = ${file.id} returning ${fileColumns}`.execute(work.tx)
  const [longer] = rows
  if (!longer) throw new Error('A file that was locked is gone.')
  await work.change({
    object: `artifact_files/${file.id}`,
    op: 'update',
    before: { size: file.size },
    after: { size: longer.size },
  })
  return longer
}
