import type { Readable } from 'node:stream'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { type BlobKey, StoreFull } from './store/blob-store.ts'

/** Stores bytes durably, or throws an error if the store is full. */
export async function putBlob(
  { blobs }: Pick<Context, 'blobs'>,
  key: BlobKey,
  content: Readable,
): Promise<{ readonly size: number; readonly digest: string }> {
  try {
    return await blobs.put(key, content)
  } catch (error) {
    throw error instanceof StoreFull ? new ApiError('storage_full') : error
  }
}
