import { formatAccessKey } from '../../server/src/accounts/access-keys/access-key.ts'
import { toId } from '../../server/src/platform/database/ids.ts'
import type { Role } from '../../server/src/commands/bench-data/bench-tracker.ts'

/** The access key of a role, the same on every measured installation. */
export function benchAccessKey(role: Role): string {
  return formatAccessKey(KEYS[role])
}

export const KEYS = {
  member: { prefix: 'tlp', id: toId<never>(90_001), secret: Buffer.alloc(32, 5) },
  group: { prefix: 'tlp', id: toId<never>(90_002), secret: Buffer.alloc(32, 4) },
  admin: { prefix: 'tlp', id: toId<never>(90_003), secret: Buffer.alloc(32, 6) },
} satisfies Record<Role, unknown>
