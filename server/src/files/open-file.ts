import { Readable } from 'node:stream'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { StoredFile } from './file.ts'
import { type FilePart, attachedFileParts, readFileParts } from './parts.ts'
import { type BlobRange, NoSuchBlob } from './store/blob-store.ts'

/**
 * Opens the bytes of a file or a range; for an incomplete file, the bytes received so far. A deleted file or lost bytes
 * (`NoSuchBlob`) are detected before the stream is returned.
 */
export async function openFile(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  { first, last }: BlobRange = { first: 0, last: file.received - 1 },
): Promise<Readable> {
  if (first > last) return Readable.from([])
  const begun = await openAt(context, file, { first, last })
  if (begun.last >= last) return begun.bytes
  // A stream that is closed unread never starts the generator, so destroy the opened part here.
  return Readable.from(streamRemainingParts(context, file, begun, last), { objectMode: false }).once('close', () =>
    begun.bytes.destroy(),
  )
}

interface OpenedPart {
  readonly bytes: Readable
  readonly last: number
}

async function* streamRemainingParts(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  begun: OpenedPart,
  last: number,
) {
  for (let opened = begun; ; opened = await openAt(context, file, { first: opened.last + 1, last })) {
    yield* opened.bytes
    if (opened.last >= last) return
  }
}

/** Opens the part that contains the offset, up to its end. */
async function openAt(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  { first, last }: BlobRange,
): Promise<OpenedPart> {
  try {
    return await openPart(context, await findFileParts(context, file), first, last)
  } catch (error) {
    if (!(error instanceof NoSuchBlob)) throw error
    // The file was sealed between lookup and opening; look up its parts again.
    return openPart(context, await findFileParts(context, file), first, last)
  }
}

async function openPart({ blobs }: Pick<Context, 'blobs'>, parts: readonly FilePart[], first: number, last: number) {
  const part = parts.find(({ at, size }) => first >= at && first < at + size)
  if (!part) throw new NoSuchBlob('This part of the file is not there.')
  const end = Math.min(last, part.at + part.size - 1)
  const isAll = first === part.at && end === part.at + part.size - 1
  const range = { first: first - part.at, last: end - part.at }
  return { bytes: await blobs.get(part.key, isAll ? undefined : range), last: end }
}

async function findFileParts({ db }: Pick<Context, 'db'>, file: StoredFile): Promise<readonly FilePart[]> {
  const { digest } = file
  if (file.is_attached && digest !== null) return attachedFileParts({ ...file, digest })
  const found = await readFileParts(db, file.id)
  if (!found) throw new ApiError('not_found', { cause: 'file_not_found' })
  return found.parts
}
