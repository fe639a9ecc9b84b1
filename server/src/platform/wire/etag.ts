import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../words/errors.ts'
import { apiDate, parseHttpDate } from './dates.ts'

/** What an Etag names: one version of one thing. */
export interface Version {
  kind: string
  id: number | string
  version: number
  /** Of this version alone, to the second: becomes `Last-Modified`, and honours `If-Unmodified-Since`. */
  last_modified?: Date
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
  if (!matchesVersion(ifMatch, version)) throw versionMismatch(version)
}

/** Both `If-Match` and `If-Unmodified-Since` must hold, if both are sent. */
export function requirePrecondition(headers: IncomingHttpHeaders, version: Version): void {
  const isMet = matchesVersion(headers['if-match'], version) && isUnmodified(headers['if-unmodified-since'], version)
  if (!isMet) throw versionMismatch(version)
}

/** Whether the writer says which version he means, as some things demand. */
export function isConditional(headers: IncomingHttpHeaders): boolean {
  return headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined
}

function matchesVersion(ifMatch: string | undefined, version: Version): boolean {
  if (ifMatch === undefined) return true
  const current = versionTag(version)
  return list(ifMatch).some((each) => each === '*' || bare(each).split('.', 1)[0] === current)
}

/** Every version has a second of its own, so equal means unmodified; later does not. What is no date is never equal. */
function isUnmodified(since: string | undefined, { last_modified }: Version): boolean {
  if (since === undefined || last_modified === undefined) return true
  const given = parseHttpDate(since)
  return given !== undefined && seconds(given) === seconds(last_modified)
}

/** Without the part that names bytes: good for `If-Match`, and never equal to the tag of an answer. */
export function versionEtag(version: Version): string {
  return `"${versionTag(version)}"`
}

/** For a writer who has read another version than the stored one. */
export function versionMismatch(version: Version): ApiError {
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
export function versionTag({ kind, id, version }: Omit<Version, 'last_modified'>): string {
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
