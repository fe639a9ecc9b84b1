import { createHash } from 'node:crypto'
import { ApiError } from '../words/errors.ts'

/** What an Etag names: one version of one thing. */
export interface Version {
  kind: string
  id: number | string
  version: number
}

/**
 * An Etag is `"v.r"`: v names the version, r the bytes of the answer. The same version looks different to another
 * viewer or after a rename, so a reader compares the whole; a writer cares for the version only.
 */
export function etagOf(version: Version, bytes: string): string {
  return `"${versionTag(version)}.${digest(bytes)}"`
}

/** `If-None-Match` compares the whole tag. A leading `W/` is a proxy's that compresses: ignored. */
export function matchesBytes(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return list(ifNoneMatch).some((each) => each === '*' || `"${bare(each.replace(/^W\//, ''))}"` === etag)
}

/** `If-Match`: `"v.r"`, `"v"`, either of them bare, a list, or `*`. Weak tags and garbage never match. */
export function requireVersion(ifMatch: string | undefined, version: Version): void {
  if (ifMatch === undefined) return
  const current = versionTag(version)
  const matches = list(ifMatch).some((each) => each === '*' || bare(each).split('.', 1)[0] === current)
  if (!matches) throw new ApiError('version_mismatch', { current_etag: `"${current}"` }).with({ etag: `"${current}"` })
}

function versionTag({ kind, id, version }: Version): string {
  return digest(`${kind}/${id}/${version}`)
}

function list(header: string): string[] {
  return header.split(',').map((each) => each.trim())
}

function bare(tag: string): string {
  return tag.length > 1 && tag.startsWith('"') && tag.endsWith('"') ? tag.slice(1, -1) : tag
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
}
