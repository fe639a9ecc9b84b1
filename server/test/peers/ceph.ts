import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { S3_BUCKET, SMALL_S3_BUCKET, type S3OfTests } from '../harness/storage-settings.ts'
import { freePort } from '../../src/platform/operation/free-port.ts'

const run = promisify(execFile)

interface Ceph {
  readonly s3: S3OfTests
  readonly stop: () => Promise<void>
}

/** A real S3 server for tests, on the loopback: one monitor, one store in memory, one gateway. `npm run setup -- --s3` brings it. */
export async function startCeph(): Promise<Ceph> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-ceph-'))
  const daemons: ChildProcess[] = []
  const stop = async () => {
    for (const daemon of daemons.toReversed()) await end(daemon)
    await rm(directory, { recursive: true, force: true })
  }
  try {
    return { s3: await build(directory, daemons), stop }
  } catch (error) {
    const logs = await Promise.all(
      ['mon.a', 'osd.0', 'client.rgw'].map((name) => lastLines(join(directory, `${name}.log`))),
    )
    await stop()
    throw new Error(`Ceph did not start: is it installed (npm run setup -- --s3)?\n${logs.join('\n')}`, {
      cause: error,
    })
  }
}

async function build(directory: string, daemons: ChildProcess[]): Promise<S3OfTests> {
  const fsid = randomUUID()
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()]
  const configuration = join(directory, 'ceph.conf')
  await writeFile(configuration, describeCluster(directory, fsid, monitorPort, gatewayPort))
  const withConfiguration = ['--conf', configuration]
  const start = (program: string, ...args: string[]) => {
    daemons.push(spawn(program, [...withConfiguration, ...args, '--foreground'], { stdio: 'ignore' }))
  }
  const ceph = (...args: string[]) => run('ceph', [...withConfiguration, '--connect-timeout', '20', ...args])

  const monitors = join(directory, 'monitors')
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, monitors])
  await mkdir(join(directory, 'mon'))
  await run('ceph-mon', [...withConfiguration, '--mkfs', '--id', 'a', '--monmap', monitors])
  start('ceph-mon', '--id', 'a')

  const store = randomUUID()
  await ceph('osd', 'new', store)
  await mkdir(join(directory, 'osd'))
  await run('ceph-osd', [...withConfiguration, '--mkfs', '--id', '0', '--osd-uuid', store])
  start('ceph-osd', '--id', '0')

  start('radosgw', '--name', 'client.rgw')
  const endpoint = `http://127.0.0.1:${gatewayPort}`
  await answers(endpoint, daemons)
  const keys = { access: randomBytes(10).toString('hex'), secret: randomBytes(20).toString('hex') }
  const administer = (...args: string[]) => run('radosgw-admin', [...withConfiguration, ...args])
  const user = ['--uid', 'waypost', '--display-name', 'Waypost']
  await administer('user', 'create', ...user, '--access-key', keys.access, '--secret-key', keys.secret)
  const credentials = { accessKeyId: keys.access, secretAccessKey: keys.secret }
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })
  for (const Bucket of [S3_BUCKET, SMALL_S3_BUCKET]) await client.send(new CreateBucketCommand({ Bucket }))
  client.destroy()
  const small = ['--quota-scope=bucket', '--bucket', SMALL_S3_BUCKET]
  await administer('quota', 'set', ...small, '--max-size', '8192')
  await administer('quota', 'enable', ...small)
  return {
    WAYPOST_S3_ENDPOINT: endpoint,
    WAYPOST_S3_ACCESS_KEY: keys.access,
    WAYPOST_S3_SECRET_KEY: keys.secret,
  }
}

/**
 * The cluster has no authentication: it listens on the loopback and lives for minutes. The gateway defaults to an
 * encrypted connection to the monitor, which requires authentication, so the mode is set explicitly.
 */
function describeCluster(directory: string, fsid: string, monitorPort: number, gatewayPort: number): string {
  return `
[global]
fsid = ${fsid}
mon_host = [v2:127.0.0.1:${monitorPort}]
public_addr = 127.0.0.1
ms_bind_msgr1 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
log_file = ${directory}/$name.log
run_dir = ${directory}
admin_socket =
crash_dir = ${directory}
mon_data = ${directory}/mon
osd_data = ${directory}/osd
osd_objectstore = memstore
memstore_device_bytes = 8G
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw_data = ${directory}/rgw
rgw_enable_usage_log = false
`
}

async function answers(endpoint: string, daemons: readonly ChildProcess[]): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const dead = daemons.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
    if (dead) throw new Error(`${dead.spawnfile} ended with ${dead.exitCode ?? dead.signalCode}.`)
    if (await fetch(endpoint).catch(() => undefined)) return
    await pause(100)
  }
  throw new Error('The gateway does not answer.')
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const ended = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  const last = setTimeout(() => daemon.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(last)
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').slice(-15).join('\n')
}
