import { requireAccount } from '../../accounts/auth-errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { Chunk, chunkParameters, readChunk } from '../chunk.ts'
import { findTemporary, quotaHeaders, temporaryFileParam } from './temporary-file.ts'

export const getTemporaryFile = readRoute({
  method: 'GET',
  path: '/artifact_temporary_files/:id',
  operationId: 'getTemporaryFile',
  summary: 'Read a chunk of a file that you have uploaded.',
  description:
    'Reads a part of an upload as base64, by `offset` and `limit`. The account that began the upload. Uploads of others are 404.',
  access: 'signed_in',
  params: { id: temporaryFileParam },
  query: chunkParameters,
  answer: Chunk,
  answerOptions: { headers: quotaHeaders },
  async handle({ context, viewer, params, query }) {
    const file = await findTemporary(context.db, context.clock.now(), requireAccount(viewer), params.id)
    return readChunk(context, file, query)
  },
})
