import { buffer } from 'node:stream/consumers'
import { type Static, type TObject, Type } from 'typebox'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { StoredFile } from './file.ts'
import { openFile } from './open-file.ts'

/** How much goes in one answer, or in one request: the base64 of it has a third more. */
export const CHUNK = 2 ** 20

export const chunkParameters = {
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Bytes to leave out.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, maximum: CHUNK, default: CHUNK, description: 'Bytes of the chunk.' }),
  ),
}

export const Chunk = Type.Object({ data: Type.String({ description: 'The bytes in base64, each chunk by itself.' }) })

export const CHUNK_HEADERS = { 'x-upload-max-file-chunksize': String(CHUNK) }

/** Some bytes of a file, in base64, and the headers by which a client asks for the rest. */
export async function readChunk(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  { offset = 0, limit = CHUNK }: Static<TObject<typeof chunkParameters>>,
): Promise<{ body: Static<typeof Chunk>; headers: Record<string, string> }> {
  const { received: size } = file
  const headers = {
    ...CHUNK_HEADERS,
    'x-pagination-limit': String(limit),
    'x-pagination-offset': String(offset),
    'x-pagination-size': String(size),
    'x-pagination-limit-max': String(CHUNK),
  }
  if (offset > size) throw new ApiError('range_not_satisfiable', { path: 'offset' }).with(headers)
  const bytes = await buffer(await openFile(context, file, { first: offset, last: Math.min(offset + limit, size) - 1 }))
  return { body: { data: bytes.toString('base64') }, headers }
}
