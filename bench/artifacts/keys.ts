import { Client } from 'pg'
import { type AccessKey, formatAccessKey } from '../../server/src/accounts/access-keys/access-key.ts'
import { toId } from '../../server/src/platform/database/ids.ts'
import { sha256 } from '../../server/src/platform/operation/secrets.ts'
import { GROUPS, type Role } from '../../server/src/commands/bench-data/bench-tracker.ts'
import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'

/** The access key of a role, the same on every measured installation. */
export function benchAccessKey(role: Role): string {
  return formatAccessKey(KEYS[role])
}

export const KEYS = {
  member: { prefix: 'tlp', id: toId<never>(90_001), secret: Buffer.alloc(32, 5) },
  group: { prefix: 'tlp', id: toId<never>(90_002), secret: Buffer.alloc(32, 4) },
  admin: { prefix: 'tlp', id: toId<never>(90_003), secret: Buffer.alloc(32, 6) },
} satisfies Record<Role, unknown>

const FIRST_VIEWER_KEY = 91_000
/** The group of the measured member: all of its members have the same permissions. */
export const MAX_VIEWERS = GROUPS.red.count

export function viewerAccessKey(viewer: number): string {
  return formatAccessKey(keyOfViewer(viewer))
}

function keyOfViewer(viewer: number): AccessKey {
  const secret = Buffer.alloc(32, 7)
  secret.writeUInt32BE(viewer)
  return { prefix: 'tlp', id: toId<never>(FIRST_VIEWER_KEY + viewer), secret }
}

/** Creates an access key for each of the first members of the group, if absent. Older versions have the same table. */
export async function createViewerKeys(ownerUrl: string, { firstPerson }: Ids, viewers: number): Promise<void> {
  if (viewers > MAX_VIEWERS) throw new Error(`There are at most ${MAX_VIEWERS} viewers.`)
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  for (let viewer = 0; viewer < viewers; viewer++) {
    const { id, prefix, secret } = keyOfViewer(viewer)
    await client.query(
      `insert into access_key (id, account_id, prefix, digest, scopes, created_on)
       values ($1, $2, $3, $4, '{write:rest}', $5) on conflict do nothing`,
      [id, firstPerson + GROUPS.red.first + viewer, prefix, sha256(secret), new Date('2021-01-01T00:00:00Z')],
    )
  }
  await client.end()
}
