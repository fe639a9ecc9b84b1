import type { Readable } from 'node:stream'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Where the bytes of files lie. */
    readonly blobs: BlobStore
  }
}

/** Ours alone, never made of what a client says: `pieces/<uuid>`, `content/<2 digits>/<digest>`, `previews/<2 digits>/<digest>`. */
export type BlobKey = `pieces/${string}` | `content/${string}` | `previews/${string}`

export interface StoredBlob {
  readonly key: BlobKey
  readonly size: number
  readonly modified: Date
}

/** Inclusive at both ends, as in HTTP. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** Bytes by keys. They pass through, and are never held in memory. */
export interface BlobStore {
  /** When it answers, the bytes are durable. An input that fails leaves nothing. */
  put(key: BlobKey, content: Readable): Promise<{ readonly size: number; readonly digest: string }>
  /** Throws `NoSuchBlob`, and what it likes for bytes that the blob has not. The stream ends after the last byte, or fails. */
  get(key: BlobKey, range?: ByteRange): Promise<Readable>
  /** Undefined: there is none. */
  sizeOf(key: BlobKey): Promise<number | undefined>
  /** Over what may be there. Durable when it answers. Throws `NoSuchBlob`. */
  move(from: BlobKey, to: BlobKey): Promise<void>
  /** Nothing happens where there is none. */
  remove(key: BlobKey): Promise<void>
  list(folder: 'pieces' | 'content' | 'previews'): AsyncIterable<StoredBlob>
  /** Removes what killed processes left half written, if it was written last before this. */
  sweep(before: Date): Promise<void>
}

export class NoSuchBlob extends Error {}

/** No room: the answer is 507, and nothing was kept. */
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
