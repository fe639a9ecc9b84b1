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
import { wholeOrFailed } from './whole-or-failed.ts'
import { asStoreFull, type Written, writeHashed } from './write-hashed.ts'

export interface S3Options {
  readonly bucket: string
  /** Before every key; empty: none. */
  readonly prefix: string
  readonly region: string
  /** Undefined: that of AWS. */
  readonly endpoint: string | undefined
  /** Undefined: what the machine has for AWS. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

const ATTEMPTS = 3
/** In milliseconds, until the answer begins. */
const PATIENCE = 60_000
/** For copies, of which nothing is heard until they are done. */
const LONG_PATIENCE = 600_000
/** Bytes in a millisecond that we expect of the slowest line. */
const SLOWEST = 1000
const PORTION = 65_536
/** A download holds one as long as it lasts. */
const CONNECTIONS = 256

/** What goes wrong is thrown; the client would say it on the console, too. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** What S3 servers say when there is no room: Ceph, MinIO, and what the standard has for it. */
const FULL = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'])

/** Blobs as objects of a bucket. One request stores one, so that 5 GB, which S3 takes in one, is the largest. */
export function createS3Store({ bucket, prefix, region, endpoint, credentials }: S3Options): BlobStore {
  const client = new S3Client({
    region,
    maxAttempts: ATTEMPTS,
    logger: SILENT,
    // Not every S3 server knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: PATIENCE,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
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
        await again(() => putFile(client, object, file, written))
        return { size: written.size, digest: written.digest }
      } catch (error) {
        content.destroy()
        throw asFull(error)
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
      return wholeOrFailed(Body, wanted)
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
        await client.send(new CopyObjectCommand({ ...objectOf(to), CopySource }), { requestTimeout: LONG_PATIENCE })
      } catch (error) {
        throw isMissing(error) ? new NoSuchBlob(from, { cause: error }) : asFull(error)
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

    /** A file without a name leaves nothing, and an object is there wholly or not at all. */
    async sweep() {},
  }
}

/** Where the bytes wait until their number is known. The file ends with the process, whatever ends that. */
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
  { size, md5 }: Written,
): Promise<void> {
  const Body = Readable.from(bytesOf(file, size), { objectMode: false })
  try {
    const command = new PutObjectCommand({ ...object, Body, ContentLength: size, ContentMD5: md5 })
    await client.send(command, { requestTimeout: PATIENCE + size / SLOWEST })
  } finally {
    Body.destroy()
  }
}

/** From the beginning, however often: a stream of the file's own would close it. */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(PORTION), position: at })
    if (bytesRead === 0) throw new Error('A file of our own has become shorter.')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The client itself repeats no request with a stream in it. */
async function again(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await work()
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !isPassing(error)) throw error
      await pause(2 ** attempt * 100 * (1 + Math.random()))
    }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true
  const { httpStatusCode: status = 500 } = error.$metadata
  return !isFull(error) && (status >= 500 || status === 429 || error.name === 'RequestTimeout')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

function refuseMissing(key: BlobKey): (error: unknown) => never {
  return (error) => {
    throw isMissing(error) ? new NoSuchBlob(key, { cause: error }) : error
  }
}

function isFull(error: unknown): boolean {
  return error instanceof S3ServiceException && (FULL.has(error.name) || error.$metadata.httpStatusCode === 507)
}

function asFull(error: unknown): unknown {
  return isFull(error) ? new StoreFull('The S3 store is full.', { cause: error }) : asStoreFull(error)
}
