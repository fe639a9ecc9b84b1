import type { IdempotencyKey } from '../../../src/platform/http/idempotency.ts'
import * as original from '../../../src/platform/http/write.ts'
import { isPlanted } from './plant.ts'

export * from '../../../src/platform/http/write.ts'

type Parameters = globalThis.Parameters<typeof original.write>

/** `duplicate-on-retry`: forgets the idempotency key. */
export function write(route: Parameters[0], call: Parameters[1], key: IdempotencyKey | undefined) {
  return original.write(route, call, key && isPlanted('duplicate-on-retry') ? undefined : key)
}
