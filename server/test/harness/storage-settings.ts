import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The file store of servers on a test database: named after it, so that all processes on one database share it. With
 * `WAYPOST_TEST_S3` the global setup has stored the S3 server there.
 */
export function filesEnvironment(databaseUrl: string): Record<string, string> & { WAYPOST_FILES: string } {
  const name = nameOf(databaseUrl)
  const s3 = s3OfTests()
  return s3 ? { ...s3, WAYPOST_FILES: `s3://${S3_BUCKET}/${name}` } : { WAYPOST_FILES: folderOf(name) }
}

/** The repository root of servers on a test database, which most never create. */
export function svnRootOf(databaseUrl: string): string {
  return join(tmpdir(), `waypost-svn-${nameOf(databaseUrl)}`)
}

/** Content on S3 ends with its server. */
export async function removeFilesOf(databaseUrl: string): Promise<void> {
  await rm(folderOf(nameOf(databaseUrl)), { recursive: true, force: true })
  await rm(svnRootOf(databaseUrl), { recursive: true, force: true })
}

export const S3_BUCKET = 'waypost'
/** Has a quota of 8 KiB; Ceph counts in units of 4 KiB. */
export const SMALL_S3_BUCKET = 'small'

export interface S3OfTests extends Record<string, string> {
  readonly WAYPOST_S3_ENDPOINT: string
  readonly WAYPOST_S3_ACCESS_KEY: string
  readonly WAYPOST_S3_SECRET_KEY: string
}

/** Undefined: these tests run on disk. */
export function s3OfTests(): S3OfTests | undefined {
  const given = process.env['WAYPOST_TEST_S3']
  return given ? JSON.parse(given) : undefined
}

function folderOf(name: string): string {
  return join(tmpdir(), `waypost-files-${name}`)
}

/** The URL parser does not accept socket paths. */
function nameOf(databaseUrl: string): string {
  const [, name = 'nowhere'] = /\/(\w+)(?:\?|$)/.exec(databaseUrl) ?? []
  return name
}
