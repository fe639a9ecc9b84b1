import type { BlobKey } from './blob-store.ts'

const KEY =
  /^(?:pieces\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:content|previews)\/([0-9a-f]{2})\/\1[0-9a-f]{62})$/

export function isBlobKey(text: string): text is BlobKey {
  return KEY.test(text)
}

/** Defence in depth: validates a key before it becomes a path or an address. */
export function requireBlobKey(key: BlobKey): void {
  if (!isBlobKey(key)) throw new Error(`${JSON.stringify(key)} is not the key of a blob.`)
}
