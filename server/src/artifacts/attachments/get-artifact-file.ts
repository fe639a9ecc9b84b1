import { Chunk, chunkParameters, readChunk } from '../../files/chunk.ts'
import type { FileId } from '../../files/file.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findReadableFile } from './find-readable-file.ts'

export const getArtifactFile = readRoute({
  method: 'GET',
  path: '/artifact_files/:id',
  operationId: 'getArtifactFile',
  summary: 'Read a chunk of an attachment, or of a file of your own that is not attached yet.',
  description:
    'Reads a part of an attachment as base64, by `offset` and `limit`. Everyone who may read the field of the attachment. Hidden and unknown files are 404.',
  access: 'everyone',
  params: { id: idParam<FileId>('The file.') },
  query: chunkParameters,
  answer: Chunk,
  async handle({ context, viewer, params: { id }, query }) {
    return readChunk(context, await findReadableFile(context, context.db, viewer, id), query)
  },
})
