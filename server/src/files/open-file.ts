import { Readable } from 'node:stream'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { StoredFile } from './file.ts'
import { type Part, partsOfAttached, readParts } from './parts.ts'
import { type ByteRange, NoSuchBlob } from './store/blob-store.ts'

/**
 * The bytes of a file, or some of them: what has come so far, where it is not whole. That the file is gone, or its bytes
 * are lost (`NoSuchBlob`), is found out before the first of them is asked for.
 */
export async function openFile(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  { first, last }: ByteRange = { first: 0, last: file.received - 1 },
): Promise<Readable> {
  if (first > last) return Readable.from([])
  const begun = await openAt(context, file, { first, last })
  if (begun.last >= last) return begun.bytes
  // One that is closed before it is read has never begun to go on.
  return Readable.from(goOn(context, file, begun, last), { objectMode: false }).once('close', () =>
    begun.bytes.destroy(),
  )
}

interface Stretch {
  readonly bytes: Readable
  readonly last: number
}

async function* goOn(context: Pick<Context, 'db' | 'blobs'>, file: StoredFile, begun: Stretch, last: number) {
  for (let stretch = begun; ; stretch = await openAt(context, file, { first: stretch.last + 1, last })) {
    yield* stretch.bytes
    if (stretch.last >= last) return
  }
}

/** Opens the part that a place lies in, as far as it goes. */
async function openAt(
  context: Pick<Context, 'db' | 'blobs'>,
  file: StoredFile,
  { first, last }: ByteRange,
): Promise<Stretch> {
  try {
    return await openPart(context, await partsOf(context, file), first, last)
  } catch (error) {
    if (!(error instanceof NoSuchBlob)) throw error
    // It was sealed between the look and the opening: now it lies elsewhere.
    return openPart(context, await partsOf(context, file), first, last)
  }
}

async function openPart({ blobs }: Pick<Context, 'blobs'>, parts: readonly Part[], first: number, last: number) {
  const part = parts.find(({ at, size }) => first >= at && first < at + size)
  if (!part) throw new NoSuchBlob('This part of the file is not there.')
  const end = Math.min(last, part.at + part.size - 1)
  const isAll = first === part.at && end === part.at + part.size - 1
  const range = { first: first - part.at, last: end - part.at }
  return { bytes: await blobs.get(part.key, isAll ? undefined : range), last: end }
}

async function partsOf({ db }: Pick<Context, 'db'>, file: StoredFile): Promise<readonly Part[]> {
  const { digest } = file
  if (file.is_attached && digest !== null) return partsOfAttached({ ...file, digest })
  const found = await readParts(db, file.id)
  if (!found) throw new ApiError('not_found', { cause: 'file_not_found' })
  return found.parts
}
