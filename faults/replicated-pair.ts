import { execFile } from 'node:child_process'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import {
  type LocalPostgres,
  startPostgres,
  unprivilegedUser,
  withAdministrator,
} from '../server/src/platform/database/local-postgres.ts'
import { findBinaries } from '../server/src/platform/database/postgres-binaries.ts'
import type { TcpProxy } from './tcp-proxy.ts'

const run = promisify(execFile)
const STANDBY_TIMEOUT_MS = 60_000

interface Node {
  readonly name: string
  readonly data: string
  readonly socket: string
}

/** A primary and its synchronous standby. */
export interface ReplicatedPair {
  readonly primary: LocalPostgres
  /** Rebuilds the other server as a standby from a new base backup, and waits until commits are synchronous. */
  pairUp(): Promise<void>
  /** Kills the primary; promotes the standby by the operator's script, and redirects clients. */
  failOver(): Promise<void>
  killStandby(): Promise<void>
  startStandby(): Promise<void>
  stop(): Promise<void>
}

export async function startReplicatedPair(directory: string, proxy: TcpProxy): Promise<ReplicatedPair> {
  const node = (name: string): Node => ({
    name,
    data: join(directory, name),
    socket: join(directory, `${name}-socket`),
  })
  let [first, second] = [node('castor'), node('pollux')]
  let primary = await start(first)
  let standby: LocalPostgres | undefined
  proxy.forwardTo(join(primary.host, '.s.PGSQL.5432'))

  const waitFor = async (what: string) => {
    for (const end = Date.now() + STANDBY_TIMEOUT_MS; ; await pause(50)) {
      const { rows } = await asAdministrator(primary, (client) =>
        client.query(`select from pg_stat_replication where application_name = $1 and sync_state = 'sync'`, [what]),
      )
      if (rows.length > 0) return
      if (Date.now() > end) throw new Error(`${what} does not become a synchronous standby.`)
    }
  }
  return {
    get primary() {
      return primary
    },
    async pairUp() {
      await copyData(first, primary, second)
      standby = await start(second)
      await setSynchronousStandby(primary, second.name)
      await waitFor(second.name)
    },
    async failOver() {
      const next = standby
      if (!next) throw new Error('There is no standby.')
      await primary.kill()
      // Found dead twice, half a second apart; the process cannot come back, so no fencing is needed.
      await pause(500)
      await asAdministrator(next, (client) => client.query('select pg_promote(true, 60)'))
      await setSynchronousStandby(next, '')
      ;[primary, standby] = [next, undefined]
      ;[first, second] = [second, first]
      proxy.forwardTo(join(primary.host, '.s.PGSQL.5432'))
    },
    async killStandby() {
      await standby?.kill()
    },
    async startStandby() {
      standby = await start(second)
      await waitFor(second.name)
    },
    async stop() {
      await standby?.stop()
      await primary.stop()
    },
  }
}

function start({ name, data, socket }: Node): Promise<LocalPostgres> {
  const settings = { cluster_name: name, wal_keep_size: '1GB', max_connections: '60', log_min_messages: 'fatal' }
  return startPostgres({ data, socket, durable: true, settings })
}

async function copyData(from: Node, { host }: LocalPostgres, { data }: Node): Promise<void> {
  const user = await unprivilegedUser()
  await rm(data, { recursive: true, force: true })
  await mkdir(data, { mode: 0o700 })
  if (user) await chown(data, user.uid, user.gid)
  const binaries = await findBinaries(undefined)
  const flags = ['-D', data, '-h', host, '-U', 'postgres', '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync']
  await run(join(binaries, 'pg_basebackup'), flags, { ...user, cwd: '/' }).catch((error: unknown) => {
    throw new Error(`${from.name} could not be copied.`, { cause: error })
  })
}

/** Sets the synchronous standby; an empty name disables synchronous commits. */
async function setSynchronousStandby(primary: LocalPostgres, name: string): Promise<void> {
  await asAdministrator(primary, async (client) => {
    await client.query(`alter system set synchronous_standby_names = ${client.escapeLiteral(name)}`)
    await client.query('select pg_reload_conf()')
  })
}

function asAdministrator<T>({ host, port }: LocalPostgres, work: (client: Client) => Promise<T>): Promise<T> {
  return withAdministrator({ host, port, database: 'postgres' }, work)
}
