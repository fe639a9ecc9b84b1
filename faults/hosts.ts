import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { unprivilegedUser } from '../server/src/platform/database/local-postgres.ts'
import type { CleanupStack } from './cleanup-stack.ts'

const run = promisify(execFile)

/** A simulated machine: a network namespace on a bridge with the others and with this process. */
export interface Host {
  readonly name: string
  readonly address: string
  /** Starts a program as an unprivileged user; its output goes to the log file. */
  start(program: string, flags: readonly string[], log: string): Promise<void>
  /** Kills all processes of the host. */
  kill(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Kills the processes whose command line matches. */
  killOnly(pattern: RegExp): Promise<void>
  /** Disconnects it from the network. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  /** Partitions it from these hosts; other connections stay. */
  forget(others: readonly Host[]): Promise<void>
  recall(others: readonly Host[]): Promise<void>
}

/** Creates this many hosts on an isolated network. Needs root. */
export async function startNetwork(names: readonly string[], cleanup: CleanupStack): Promise<readonly Host[]> {
  // The benchmark range of RFC 2544, with our process id, so that parallel runs do not collide.
  const prefix = `198.18.${process.pid % 250}`
  const bridge = `wf${process.pid % 100_000}`
  const hosts: Host[] = []
  const remove = (...what: string[]) => run('ip', what).catch(() => {})
  await run('ip', ['link', 'add', bridge, 'type', 'bridge'])
  cleanup.push(() => remove('link', 'delete', bridge))
  await run('ip', ['address', 'add', `${prefix}.254/24`, 'dev', bridge])
  await run('ip', ['link', 'set', bridge, 'up'])
  for (const [at, name] of names.entries()) {
    const [space, outside, inside] = [`${bridge}-${name}`, `${bridge}v${at}`, `${bridge}i${at}`]
    const address = `${prefix}.${at + 1}`
    await run('ip', ['netns', 'add', space])
    const host = hostIn(space, { name, address, outside })
    hosts.push(host)
    cleanup.push(async () => {
      await host.kill()
      await remove('netns', 'delete', space)
      await remove('link', 'delete', outside)
    })
    await run('ip', ['link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space])
    await run('ip', ['link', 'set', outside, 'master', bridge])
    await run('ip', ['link', 'set', outside, 'up'])
    const within = (...flags: string[]) => run('ip', ['-n', space, ...flags])
    await within('link', 'set', 'lo', 'up')
    await within('address', 'add', `${address}/24`, 'dev', inside)
    await within('link', 'set', inside, 'up')
  }
  return hosts
}

interface Place {
  readonly name: string
  readonly address: string
  /** Our end of its virtual cable. */
  readonly outside: string
}

function hostIn(space: string, { name, address, outside }: Place): Host {
  const running = async () => {
    const { stdout } = await run('ip', ['netns', 'pids', space])
    return stdout.split('\n').filter(Boolean).map(Number)
  }
  const each = async (signal: NodeJS.Signals, isMeant: (id: number) => Promise<boolean> = async () => true) => {
    for (const id of await running())
      if (await isMeant(id))
        try {
          process.kill(id, signal)
        } catch {
          // The process has ended in the meantime.
        }
  }
  const route = (what: 'add' | 'delete', other: Host) =>
    run('ip', ['-n', space, 'route', what, 'blackhole', `${other.address}/32`])
  return {
    name,
    address,
    async start(program, flags, log) {
      const { uid = 0, gid = 0 } = (await unprivilegedUser()) ?? {}
      const output = openSync(log, 'a', 0o600)
      const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--']
      const child = spawn('ip', ['netns', 'exec', space, 'setpriv', ...user, program, ...flags], {
        cwd: '/',
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
        stdio: ['ignore', output, output],
        detached: true,
      })
      child.unref()
      closeSync(output)
    },
    async kill() {
      // A process may fork while it is being killed, so this repeats.
      for (let round = 0; round < 20 && (await running()).length > 0; round++) await each('SIGKILL')
    },
    signal: (signal) => each(signal),
    killOnly: (pattern) =>
      each('SIGKILL', async (id) => {
        const { stdout } = await run('ps', ['-o', 'args=', '-p', String(id)]).catch(() => ({ stdout: '' }))
        return pattern.test(stdout)
      }),
    async unplug() {
      await run('ip', ['link', 'set', outside, 'down'])
    },
    async plugIn() {
      await run('ip', ['link', 'set', outside, 'up'])
    },
    async forget(others) {
      for (const other of others) await route('add', other)
    },
    async recall(others) {
      for (const other of others) await route('delete', other)
    },
  }
}
