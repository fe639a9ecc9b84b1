import type { Readable } from 'node:stream'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** The store of file contents. */
    readonly blobs: BlobStore
  }
}

/**
 * Generated keys, never derived from client input: `pieces/<uuid>`, `content/<2 digits>/<digest>`, `previews/<2
 * digits>/<digest>`.
 */
export type BlobKey = `pieces/${string}` | `content/${string}` | `previews/${string}`

export interface StoredBlob {
  readonly key: BlobKey
  readonly size: number
  readonly modified: Date
}

/** Inclusive at both ends, as in HTTP. */
export interface BlobRange {
  readonly first: number
  readonly last: number
}

/** A key-value store of blobs. Contents are streamed, never held in memory. */
export interface BlobStore {
  /** The bytes are durable when it resolves. A failing input leaves nothing. */
  put(key: BlobKey, content: Readable): Promise<{ readonly size: number; readonly digest: string }>
  /** Throws `NoSuchBlob`; any error for a range beyond the blob. The stream ends after the last byte, or fails. */
  get(key: BlobKey, range?: BlobRange): Promise<Readable>
  /** Undefined: no such blob. */
  sizeOf(key: BlobKey): Promise<number | undefined>
  /** Overwrites an existing target. Durable when it resolves. Throws `NoSuchBlob`. */
  move(from: BlobKey, to: BlobKey): Promise<void>
  /** A no-op if the blob does not exist. */
  remove(key: BlobKey): Promise<void>
  list(folder: 'pieces' | 'content' | 'previews'): AsyncIterable<StoredBlob>
  /** Deletes partial writes of killed processes that were last written before this time. */
  sweep(before: Date): Promise<void>
}

export class NoSuchBlob extends Error {}

/** The store is full: the response is 507, and nothing is kept. */
export class StoreFull extends Error {}

export function contentKey(digest: string): BlobKey {
  return `content/${digest.slice(0, 2)}/${digest}`
}

export function previewKey(digest: string): BlobKey {
  return `previews/${digest.slice(0, 2)}/${digest}`
}

export function pieceKey(uuid: string): BlobKey {
  return `pieces/${uuid}`
}
