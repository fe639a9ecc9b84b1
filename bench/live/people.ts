import { Client } from 'pg'
import { type AccessKeyId, formatAccessKey } from '../../server/src/accounts/access-keys/access-key.ts'
import { toId } from '../../server/src/platform/database/ids.ts'
import { sha256 } from '../../server/src/platform/operation/secrets.ts'
import type { Cluster } from '../artifacts/cluster.ts'

/** A person of the bench project who follows or writes. */
export interface BenchPerson {
  /** Their index in the project, which determines their permissions. */
  readonly place: number
  readonly key: string
}

const FIRST_KEY = 95_000

/** Creates an access key for each of these people. */
export async function giveKeys({ ownerUrl, ids }: Cluster, places: readonly number[]): Promise<BenchPerson[]> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const followers: BenchPerson[] = []
    for (const place of places) {
      const id = toId<AccessKeyId>(FIRST_KEY + place)
      const secret = Buffer.alloc(32, place % 251)
      await client.query(
        `insert into access_key (id, account_id, prefix, digest, scopes, created_on)
         values ($1, $2, 'tlp', $3, '{write:rest}', $4) on conflict (id) do nothing`,
        [id, ids.firstPerson + place, sha256(secret), new Date('2021-01-01T00:00:00Z')],
      )
      followers.push({ place, key: formatAccessKey({ prefix: 'tlp', id, secret }) })
    }
    return followers
  } finally {
    await client.end()
  }
}
