import { spawn } from 'node:child_process'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { unprivilegedUser, withAdministrator } from '../server/src/platform/database/local-postgres.ts'
import { findBinaries } from '../server/src/platform/database/postgres-binaries.ts'
import { freePort } from '../server/src/platform/operation/free-port.ts'
import type { CleanupStack } from './cleanup-stack.ts'
import { type Host, startNetwork } from './hosts.ts'

/** Three hosts with PostgreSQL, Patroni and etcd each, and HAProxy, which routes to the primary. */
export interface PatroniCluster {
  readonly hosts: readonly Host[]
  /** The port of HAProxy. */
  readonly port: number
  leader(): Promise<Host>
  /** Resolves when a different host is the leader. */
  otherLeader(than: Host): Promise<Host>
  /** Resolves when the leader has a synchronous standby: before that it confirms no write. */
  followed(): Promise<Host>
  /** Resolves when there are a leader, a synchronous standby and another replica. */
  whole(): Promise<void>
  /** Restarts a host whose processes were killed. */
  revive(host: Host): Promise<void>
  startPatroni(host: Host): Promise<void>
}

const CLUSTER_TIMEOUT_MS = 180_000
const SETTLE_MS = 2000
const SCOPE = 'waypost'
const TIMES = { ttl: 8, loop_wait: 1, retry_timeout: 3 }

export async function startPatroniCluster(directory: string, cleanup: CleanupStack): Promise<PatroniCluster> {
  const hosts = await startNetwork(['north', 'east', 'south'], cleanup)
  const startEtcd = (host: Host) =>
    host.start('etcd', etcdFlags(host, hosts, directory), logOf(directory, host, 'etcd'))
  const startPatroni = (host: Host) =>
    host.start('patroni', [join(homeOf(directory, host), 'patroni.json')], logOf(directory, host, 'patroni'))
  for (const host of hosts) await prepareHome(directory, host, hosts)
  for (const host of hosts) await startEtcd(host)
  for (const host of hosts) await startPatroni(host)
  const port = await freePort()
  cleanup.push(await startProxy(directory, hosts, port))

  const leaders = async () => {
    const asked = await Promise.all(
      hosts.map(async (host) => ({ host, leads: await isOk(`${host.address}:8008/primary`) })),
    )
    return asked.filter(({ leads }) => leads).map(({ host }) => host)
  }
  const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
    for (const end = Date.now() + CLUSTER_TIMEOUT_MS; ; await pause(300)) {
      const found = await look()
      if (found !== undefined) return found
      if (Date.now() > end) throw new Error(`In ${CLUSTER_TIMEOUT_MS / 1000} s ${what}.`)
    }
  }
  const cluster: PatroniCluster = {
    hosts,
    port,
    startPatroni,
    leader: () => until('nobody leads', async () => (await leaders())[0]),
    otherLeader: (than) =>
      until(`nobody but ${than.name} leads`, async () => (await leaders()).find((host) => host !== than)),
    followed: () =>
      until('nobody follows synchronously', async () => {
        const [leader] = await leaders()
        return leader && (await followersOf(leader)) > 0 ? leader : undefined
      }),
    async whole() {
      const isStill = async () => ((await isWhole(hosts)) ? true : undefined)
      await until('the cluster is not whole', isStill)
      await pause(SETTLE_MS)
      await until('the cluster does not stay whole', isStill)
    },
    async revive(host) {
      await startEtcd(host)
      await startPatroni(host)
    },
  }
  await cluster.whole()
  return cluster
}

function homeOf(directory: string, { name }: Host): string {
  return join(directory, name)
}

function logOf(directory: string, { name }: Host, program: string): string {
  return join(directory, `${name}-${program}.log`)
}

async function prepareHome(directory: string, host: Host, hosts: readonly Host[]): Promise<void> {
  const home = homeOf(directory, host)
  const user = await unprivilegedUser()
  await mkdir(home, { mode: 0o700 })
  await writeFile(join(home, 'patroni.json'), JSON.stringify(await patroniConfig(home, host, hosts), null, 2))
  if (user) for (const path of [join(home, 'patroni.json'), home]) await chown(path, user.uid, user.gid)
}

function etcdFlags({ name, address }: Host, hosts: readonly Host[], directory: string): string[] {
  const peer = (at: Pick<Host, 'address'>) => `http://${at.address}:2380`
  const flags = {
    name,
    'data-dir': join(directory, name, 'etcd'),
    'listen-peer-urls': peer({ address }),
    'initial-advertise-peer-urls': peer({ address }),
    'listen-client-urls': `http://${address}:2379`,
    'advertise-client-urls': `http://${address}:2379`,
    'initial-cluster': hosts.map((each) => `${each.name}=${peer(each)}`).join(),
    'heartbeat-interval': '100',
    'election-timeout': '1000',
    'enable-v2': 'true',
    'log-level': 'error',
  }
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
}

/** JSON is valid YAML. */
async function patroniConfig(home: string, { name, address }: Host, hosts: readonly Host[]): Promise<object> {
  const subnet = `${address.split('.').slice(0, 3).join('.')}.0/24`
  const user = (username: string) => ({ username, password: 'of-the-tests' })
  return {
    scope: SCOPE,
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // The v2 API of etcd: with v3, Patroni 3.0.2 lets a partitioned leader take its lock back from its successor.
    etcd: { hosts: hosts.map((each) => `${each.address}:2379`) },
    bootstrap: {
      dcs: {
        ...TIMES,
        maximum_lag_on_failover: 1_048_576,
        master_start_timeout: 0, // Fail over at once instead of waiting for a dead primary.
        primary_start_timeout: 0,
        primary_stop_timeout: 2, // A demoted primary would wait for unreachable standbys.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 100,
            wal_log_hints: 'on',
            wal_keep_size: '512MB',
            // The new primary commits nothing without a standby, so the default retry of five seconds is too long.
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(home, 'data'),
      bin_dir: await findBinaries(undefined),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: home },
      pg_hba: ['local all all trust', `host all all ${subnet} trust`, `host replication all ${subnet} trust`],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  }
}

async function startProxy(directory: string, hosts: readonly Host[], port: number): Promise<() => Promise<void>> {
  const config = join(directory, 'haproxy.cfg')
  await writeFile(
    config,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${hosts.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`).join('\n')}
`,
  )
  const proxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' })
  return async () => void proxy.kill('SIGKILL')
}

interface Member {
  readonly role: string
  readonly state: string
}

/** Checks the leader itself and its PostgreSQL: a partitioned host may have a stale view. */
async function isWhole(hosts: readonly Host[]): Promise<boolean> {
  const asked = await Promise.all(hosts.map(({ address }) => isOk(`${address}:8008/primary`)))
  const [leader, ...others] = hosts.filter((_, at) => asked[at])
  if (!leader || others.length > 0) return false
  const answer = await ask(`${leader.address}:8008/cluster`)
  if (!answer?.ok) return false
  const { members }: { members: Member[] } = JSON.parse(await answer.text())
  const runs = members.filter(({ state }) => ['running', 'streaming'].includes(state))
  if (runs.length < hosts.length || !runs.some(({ role }) => role === 'sync_standby')) return false
  return (await followersOf(leader)) === hosts.length - 1
}

/** The number of standbys, at least one of them synchronous. */
async function followersOf({ address: host }: Host): Promise<number> {
  const counted = withAdministrator({ host, database: 'postgres' }, async (client) => {
    const { rows } = await client.query<{ sync_state: string }>(
      `select sync_state from pg_stat_replication where state = 'streaming'`,
    )
    return rows.some(({ sync_state }) => sync_state === 'sync') ? rows.length : 0
  }).catch(() => 0)
  return Promise.race([counted, pause(3000, 0)]) // The host may lose leadership during the query.
}

async function isOk(place: string): Promise<boolean> {
  return (await ask(place))?.ok ?? false
}

function ask(place: string): Promise<Response | undefined> {
  return fetch(`http://${place}`, { signal: AbortSignal.timeout(1500) }).catch(() => undefined)
}
