import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../platform/operation/config.ts'
import { AWAY, apacheConfig } from './apache-config.ts'
import { preparePlaces } from './make-repository.ts'
import { placesOf } from './places.ts'
import { svnUser } from './run-tool.ts'
import { writeWhole } from './serve-project.ts'

const PROGRAM = '/usr/sbin/apache2'
const MODULE = '/usr/lib/apache2/modules/mod_dav_svn.so'
const PATIENCE = 20_000

export interface LocalApache {
  readonly pid: number
  stop(): Promise<void>
  /** Ends it and all its children as a power cut would. */
  kill(): Promise<void>
}

/** Whether this machine can serve repositories. */
export function hasApache(): boolean {
  return existsSync(PROGRAM) && existsSync(MODULE)
}

/** Writes what Apache reads, and returns the name of the file to start it with. */
export async function writeApacheConfig(config: Config): Promise<string> {
  const places = placesOf(config)
  await preparePlaces(places)
  await rm(join(places.apache, 'seen'), { recursive: true, force: true })
  await writeWhole(join(places.apache, 'away.xml'), AWAY)
  const file = join(places.apache, 'httpd.conf')
  await writeWhole(file, apacheConfig(places.apache, config, (await svnUser()) && { name: 'www-data' }))
  return file
}

// The shell becomes Apache itself and leaves behind a grandchild that holds our pipe: if we die, even by SIGKILL, the
// pipe ends without a line and the grandchild stops Apache. All words come in as arguments.
const ENDS_WITH_US = '( (read -r line <&3 || kill -TERM $$) & ); exec "$@" 3<&-'

/** An Apache of one's own, for tests, development and measurements; it ends with this process. */
export async function startApache(config: Config): Promise<LocalApache> {
  const { apache: folder } = placesOf(config)
  const file = await writeApacheConfig(config)
  const apache = spawn('/bin/sh', ['-c', ENDS_WITH_US, 'sh', PROGRAM, '-d', folder, '-f', file, '-D', 'FOREGROUND'], {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let said = ''
  apache.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [, , , lifeline] = apache.stdio
  if (!(lifeline instanceof Writable)) throw new Error('The pipe to Apache is missing.')
  lifeline.on('error', () => {}) // The grandchild may be gone first.
  apache.once('exit', () => lifeline.end('ended\n'))
  const exit = once(apache, 'exit')
  const pid = apache.pid ?? 0
  await untilItListens(config, () => apache.exitCode !== null).catch(async (error: unknown) => {
    apache.kill('SIGTERM')
    const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '')
    throw new Error(`Apache did not start:\n${said}${log}`, { cause: error })
  })
  return {
    pid,
    async stop() {
      apache.kill('SIGTERM')
      await exit
    },
    async kill() {
      process.kill(-pid, 'SIGKILL') // It leads a group of its own.
      await exit
    },
  }
}

async function untilItListens({ WAYPOST_SVN_LISTEN: { host, port } }: Config, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE
  while (!hasEnded() && Date.now() < deadline) {
    const answer = await fetch(`http://${host}:${port}/.waypost/away.xml`).catch(() => undefined)
    if (answer?.ok) return
    await pause(25)
  }
  throw new Error('It does not listen.')
}
