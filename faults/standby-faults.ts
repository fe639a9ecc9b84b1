import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { APP_ROLE, createRolesAndDatabase, withAdministrator } from '../server/src/platform/database/local-postgres.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { query, shape } from '../server/test/harness/schema-shape.ts'
import type { JournalEntry } from './journal.ts'
import type { Fault, Scene } from './setup.ts'
import type { ReplicatedPair } from './replicated-pair.ts'

/** Faults of a primary and its synchronous standby. */
export function standbyFaults(pair: ReplicatedPair, ownerUrl: (database: string) => string): Fault[] {
  return [
    {
      name: 'kill -9 of the primary, the standby is promoted',
      counts: ['primary kill', 'failover'],
      share: 4,
      async inject() {
        await pair.failOver()
        await pair.pairUp()
      },
    },
    {
      name: 'kill -9 of the primary during a migration',
      counts: ['primary kill', 'failover'],
      share: 1,
      inject: (scene) => failOverWithin(pair, scene, ownerUrl),
    },
    {
      name: 'kill -9 of the synchronous standby',
      counts: ['other'],
      share: 1,
      async inject(scene) {
        await withoutStandby(pair, scene, () => pause(scene.random.integer(11_000, 14_000)))
      },
    },
    {
      name: 'commits that wait for their standby are cancelled',
      counts: ['other'],
      share: 1,
      async inject(scene) {
        await withoutStandby(pair, scene, async () => {
          for (let round = 0; round < 10; round++) {
            await pause(500)
            await cancelWaitingCommits(pair)
          }
        })
      },
    },
  ]
}

/** Fails over during the migration of another database; a later run completes it with the same result. */
async function failOverWithin(
  pair: ReplicatedPair,
  { random, note, complain }: Scene,
  ownerUrl: (database: string) => string,
): Promise<void> {
  const database = 'migrated'
  const url = ownerUrl(database)
  const { host, port } = pair.primary
  await createRolesAndDatabase({ host, port, database })
  const first = migrate({ url, appRole: APP_ROLE }).then(
    () => 'was whole',
    () => 'was cut short',
  )
  await pause(random.integer(0, 1500))
  await pair.failOver()
  const done = await migrate({ url, appRole: APP_ROLE })
  note(`a migration ${await first}; ${done.length} of its files came after the failover`)
  if (!isDeepStrictEqual(await shape(url), await shape(ownerUrl('faults'))))
    complain('A migration that was cut short and then ended makes another schema.')
  await query(ownerUrl('faults'), `drop database ${database} with (force)`)
  await pair.pairUp()
}

/** Without a standby, no write may be acknowledged. */
async function withoutStandby(
  pair: ReplicatedPair,
  { journal, complain, note }: Scene,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await pair.killStandby()
  const [from, start] = [journal.length, performance.now()]
  await meanwhile()
  const until = performance.now()
  const acknowledged = journal.slice(from).filter((entry) => isAcknowledged(entry, start, until))
  for (const { op, kind } of acknowledged) complain(`${op}: ${kind} was acknowledged without the standby`)
  await pair.startStandby()
  note(`${journal.length - from} writes were begun without the standby or before, and none acknowledged`)
}

function isAcknowledged({ outcome, start, end, versions }: JournalEntry, from: number, until: number): boolean {
  return outcome === 'ok' && versions > 0 && start > from && end < until
}

/** PostgreSQL then reports success with a warning that the standby does not have the commit. */
async function cancelWaitingCommits({ primary: { host, port } }: ReplicatedPair): Promise<void> {
  await withAdministrator({ host, port, database: 'postgres' }, (client) =>
    client.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`),
  )
}
