import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { StoredFile } from '../../../files/file.ts'
import { openFile } from '../../../files/open-file.ts'
import type { Context } from '../../../platform/operation/context.ts'
import type { HttpByteRange } from '../../../platform/http/send-content.ts'
import { archivePath } from './artifact-document.ts'
import { type ArchivedPerson, writePeopleDocument } from './people-document.ts'

// Zip timestamps are local time, so a fixed local time gives the same bytes everywhere.
const ANY_TIME = new Date(2000, 0, 1)
const OPTIONS = { mtime: ANY_TIME, compress: false, forceDosTimestamp: true }

/** The content of an archive. */
export interface ArchiveParts {
  readonly document: string
  readonly people: readonly ArchivedPerson[]
  /** Ordered by id. */
  readonly files: readonly StoredFile[]
}

type Store = Pick<Context, 'db' | 'blobs'>

/**
 * The zip of an archive. It is deterministic, so it is not stored: it is streamed again for every reader, and never
 * held in memory.
 */
export function zipArchive(store: Store, { document, people, files }: ArchiveParts): Readable {
  const zip = new ZipFile()
  const bytes = new PassThrough()
  let open: Readable | undefined
  zip.on('error', (error: Error) => bytes.destroy(error))
  bytes.once('close', () => open?.destroy()) // Closes the current file if the reader disconnects.
  zip.addBuffer(Buffer.from(document), 'artifact.xml', OPTIONS)
  zip.addBuffer(Buffer.from(writePeopleDocument(people)), 'people.xml', OPTIONS)
  for (const file of files)
    zip.addReadStreamLazy(archivePath(file.id), { ...OPTIONS, size: file.size }, (take) => {
      open = Readable.from(contentOf(store, file), { objectMode: false })
      open.once('error', (error) => bytes.destroy(error))
      take(null, open)
    })
  zip.end()
  zip.outputStream.pipe(bytes)
  return bytes
}

async function* contentOf(store: Store, file: StoredFile): AsyncGenerator<Buffer> {
  yield* await openFile(store, file)
}

/** A range of the zip: the bytes before it are generated and discarded. */
export function zipPart(store: Store, parts: ArchiveParts, range: HttpByteRange): Readable {
  return Readable.from(cut(zipArchive(store, parts), range), { objectMode: false })
}

async function* cut(whole: AsyncIterable<Buffer>, { first, last }: HttpByteRange): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of whole) {
    const part = chunk.subarray(Math.max(first - at, 0), Math.max(last + 1 - at, 0))
    if (part.length > 0) yield part
    at += chunk.length
    if (at > last) return
  }
}

/** Reads the whole stream once. */
export async function measureZip(zip: AsyncIterable<Buffer>): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of zip) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}
