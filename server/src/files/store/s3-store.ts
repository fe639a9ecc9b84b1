import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { isBlobKey, requireBlobKey } from './blob-keys.ts'
import { type BlobKey, type BlobStore, NoSuchBlob, StoreFull } from './blob-store.ts'
import { assertStreamLength } from './assert-stream-length.ts'
import { asStoreFull, type HashedContent, writeHashed } from './write-hashed.ts'

export interface S3Options {
  readonly bucket: string
  /** The prefix of every key; may be empty. */
  readonly prefix: string
  readonly region: string
  /** Undefined: the AWS endpoint. */
  readonly endpoint: string | undefined
  /** Undefined: the default AWS credentials of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

const MAX_ATTEMPTS = 3
/** The time until the response starts. */
const REQUEST_TIMEOUT_MS = 60_000
/** For copies, which respond only when they are done. */
const COPY_TIMEOUT_MS = 600_000
/** The expected throughput of the slowest connection. */
const MIN_BYTES_PER_MS = 1000
const READ_CHUNK_BYTES = 65_536
/** A download holds a connection until it ends. */
const MAX_CONNECTIONS = 256

/** Errors are thrown; the client would also print them. */
const SILENT_LOGGER = { debug() {}, info() {}, warn() {}, error() {} }

/** Error codes for a full store: Ceph, MinIO, and the standard ones. */
const STORAGE_FULL_CODES = new Set([
  'QuotaExceeded',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])

/** Blobs as objects of a bucket. Each is stored by one request, which S3 limits to 5 GB. */
export function createS3Store({ bucket, prefix, region, endpoint, credentials }: S3Options): BlobStore {
  const client = new S3Client({
    region,
    maxAttempts: MAX_ATTEMPTS,
    logger: SILENT_LOGGER,
    // Some S3 servers do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
    },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  })
  const before = prefix === '' ? '' : `${prefix}/`
  const objectOf = (key: BlobKey) => {
    requireBlobKey(key)
    return { Bucket: bucket, Key: `${before}${key}` }
  }

  return {
    async put(key, content) {
      const object = objectOf(key)
      const file = await openUnnamed()
      try {
        const written = await writeHashed(file, content)
        await withRetries(() => putFile(client, object, file, written))
        return { size: written.size, digest: written.digest }
      } catch (error) {
        content.destroy()
        throw toStoreFull(error)
      } finally {
        await file.close()
      }
    },

    async get(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`
      const { Body, ContentLength } = await client
        .send(new GetObjectCommand({ ...objectOf(key), Range }))
        .catch(refuseMissing(key))
      if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error(`${key} came without its bytes.`)
      const wanted = range ? range.last - range.first + 1 : ContentLength
      if (ContentLength !== wanted) {
        Body.destroy()
        throw new RangeError(`${key} has not all of ${Range}.`)
      }
      return assertStreamLength(Body, wanted)
    },

    async sizeOf(key) {
      try {
        const { ContentLength } = await client.send(new HeadObjectCommand(objectOf(key)))
        return ContentLength ?? 0
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    async move(from, to) {
      const source = objectOf(from)
      const CopySource = `${bucket}/${encodeURI(source.Key)}`
      try {
        await client.send(new CopyObjectCommand({ ...objectOf(to), CopySource }), { requestTimeout: COPY_TIMEOUT_MS })
      } catch (error) {
        throw isMissing(error) ? new NoSuchBlob(from, { cause: error }) : toStoreFull(error)
      }
      await client.send(new DeleteObjectCommand(source))
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)))
    },

    async *list(kind) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${before}${kind}/` }))
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const key = Key.slice(before.length)
          if (isBlobKey(key) && LastModified) yield { key, size: Size, modified: LastModified }
        }
    },

    /** Nothing to sweep: temporary files are unlinked, and objects appear atomically. */
    async sweep() {},
  }
}

/**
 * An unlinked temporary file, which buffers the bytes until their number is known. The system removes it with the
 * process.
 */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `waypost-${randomUUID()}`)
  try {
    const file = await open(path, 'wx+', 0o600)
    await rm(path)
    return file
  } catch (error) {
    throw asStoreFull(error)
  }
}

async function putFile(
  client: S3Client,
  object: { Bucket: string; Key: string },
  file: FileHandle,
  { size, md5 }: HashedContent,
): Promise<void> {
  const Body = Readable.from(readChunks(file, size), { objectMode: false })
  try {
    const command = new PutObjectCommand({ ...object, Body, ContentLength: size, ContentMD5: md5 })
    await client.send(command, { requestTimeout: REQUEST_TIMEOUT_MS + size / MIN_BYTES_PER_MS })
  } finally {
    Body.destroy()
  }
}

/** Reads from the start on each call; a read stream of the handle would close it. */
async function* readChunks(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(READ_CHUNK_BYTES), position: at })
    if (bytesRead === 0) throw new Error('A temporary file has been truncated.')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The client does not retry requests with a stream body. */
async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await work()
      return
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransientError(error)) throw error
      await pause(2 ** attempt * 100 * (1 + Math.random()))
    }
}

function isTransientError(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true
  const { httpStatusCode: status = 500 } = error.$metadata
  return !isStorageFull(error) && (status >= 500 || status === 429 || error.name === 'RequestTimeout')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

function refuseMissing(key: BlobKey): (error: unknown) => never {
  return (error) => {
    throw isMissing(error) ? new NoSuchBlob(key, { cause: error }) : error
  }
}

function isStorageFull(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (STORAGE_FULL_CODES.has(error.name) || error.$metadata.httpStatusCode === 507)
  )
}

function toStoreFull(error: unknown): unknown {
  return isStorageFull(error) ? new StoreFull('The S3 store is full.', { cause: error }) : asStoreFull(error)
}
