import { createHash, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../messages/errors.ts'
import { apiDate, parseHttpDate } from './dates.ts'

/** One version of one object, as an ETag names it. */
export interface ResourceVersion {
  kind: string
  id: number | string
  version: number
  /** Unique to this version, to the second: becomes `Last-Modified` and is checked by `If-Unmodified-Since`. */
  last_modified?: Date
}

/**
 * An ETag is `"v.r"`: v identifies the version, r the bytes of the response. The same version looks different to
 * another viewer or after a rename, so readers compare the whole tag; writers compare the version only.
 */
export function toEtag(version: ResourceVersion, bytes: string): string {
  return `"${versionTag(version)}.${digest(bytes)}"`
}

/** The ETag of a list: the bytes of the page and the headers that describe it, so permissions are part of it. */
export function toListEtag(parts: Iterable<string | Buffer>): string {
  const hashed = createHash('sha256')
  for (const part of parts) hashed.update(part)
  return `"${hashed.digest().subarray(0, 16).toString('base64url')}"`
}

/** `If-None-Match` compares the whole tag. A leading `W/` is added by compressing proxies, and ignored. */
export function matchesBytes(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return list(ifNoneMatch).some((each) => each === '*' || `"${bare(each.replace(/^W\//, ''))}"` === etag)
}

/** `If-Match`: `"v.r"`, `"v"`, either of them without quotes, a list, or `*`. Weak and malformed tags never match. */
export function requireVersion(ifMatch: string | undefined, version: ResourceVersion): void {
  if (!matchesVersion(ifMatch, version)) throw versionMismatch(version)
}

/** Both `If-Match` and `If-Unmodified-Since` must hold, if both are sent. */
export function requirePrecondition(headers: IncomingHttpHeaders, version: ResourceVersion): void {
  const isMet = matchesVersion(headers['if-match'], version) && isUnmodified(headers['if-unmodified-since'], version)
  if (!isMet) throw versionMismatch(version)
}

/** Whether the writer names the version, which some routes require. */
export function isConditional(headers: IncomingHttpHeaders): boolean {
  return headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined
}

function matchesVersion(ifMatch: string | undefined, version: ResourceVersion): boolean {
  if (ifMatch === undefined) return true
  const current = versionTag(version)
  return list(ifMatch).some((each) => each === '*' || bare(each).split('.', 1)[0] === current)
}

/** Every version has a distinct second, so only equality means unmodified. An invalid date never matches. */
function isUnmodified(since: string | undefined, { last_modified }: ResourceVersion): boolean {
  if (since === undefined || last_modified === undefined) return true
  const given = parseHttpDate(since)
  return given !== undefined && seconds(given) === seconds(last_modified)
}

/** Without the part for the bytes: valid for `If-Match`, and never equal to the tag of a response. */
export function versionEtag(version: ResourceVersion): string {
  return `"${versionTag(version)}"`
}

/** The error for a write that is based on another version. */
export function versionMismatch(version: ResourceVersion): ApiError {
  const current_etag = versionEtag(version)
  const { last_modified } = version
  return new ApiError('version_mismatch', {
    current_etag,
    ...(last_modified && { current_last_modified: apiDate(last_modified) }),
  }).with({ etag: current_etag })
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** `v` alone, without quotes. */
export function versionTag({ kind, id, version }: Omit<ResourceVersion, 'last_modified'>): string {
  return digest(`${kind}/${id}/${version}`)
}

function list(header: string): string[] {
  return header.split(',').map((each) => each.trim())
}

function bare(tag: string): string {
  return tag.length > 1 && tag.startsWith('"') && tag.endsWith('"') ? tag.slice(1, -1) : tag
}

function digest(text: string): string {
  return hash('sha256', text, 'buffer').subarray(0, 16).toString('base64url')
}
