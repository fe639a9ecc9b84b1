import { buffer } from 'node:stream/consumers'
import { type Static, type TObject, Type } from 'typebox'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { StoredFile } from './file.ts'
import { openFile } from './open-file.ts'

/** The maximum chunk per response or request; its base64 form is a third longer. */
export const MAX_CHUNK_BYTES = 2 ** 20

export const chunkParameters = {
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'The offset of the first byte.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_CHUNK_BYTES,
      default: MAX_CHUNK_BYTES,
      description: 'The maximum number of bytes.',
    }),
  ),
}

export const Chunk = Type.Object({
  data: Type.String({ description: 'The bytes in base64; each chunk is encoded separately.' }),
})

export const CHUNK_HEADERS = { 'x-upload-max-file-chunksize': String(MAX_CHUNK_BYTES) }

/** A range of a file in base64, with the headers that clients use to request the rest. */
export async function readChunk(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  { offset = 0, limit = MAX_CHUNK_BYTES }: Static<TObject<typeof chunkParameters>>,
): Promise<{ body: Static<typeof Chunk>; headers: Record<string, string> }> {
  const { received: size } = file
  const headers = {
    ...CHUNK_HEADERS,
    'x-pagination-limit': String(limit),
    'x-pagination-offset': String(offset),
    'x-pagination-size': String(size),
    'x-pagination-limit-max': String(MAX_CHUNK_BYTES),
  }
  if (offset > size) throw new ApiError('range_not_satisfiable', { path: 'offset' }).with(headers)
  const bytes = await buffer(await openFile(context, file, { first: offset, last: Math.min(offset + limit, size) - 1 }))
  return { body: { data: bytes.toString('base64') }, headers }
}
