import type { IncomingHttpHeaders } from 'node:http'
import type { ResourceVersion } from '../../../src/platform/wire/etag.ts'
import * as original from '../../../src/platform/wire/etag.ts'
import { isPlanted } from './plant.ts'

export * from '../../../src/platform/wire/etag.ts'

/** `stale-overwrite`: accepts a version that is not the current one. */
export function requirePrecondition(headers: IncomingHttpHeaders, version: ResourceVersion): void {
  if (original.isConditional(headers) && isPlanted('stale-overwrite')) return
  original.requirePrecondition(headers, version)
}
