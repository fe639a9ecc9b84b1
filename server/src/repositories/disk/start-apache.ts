import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../platform/operation/config.ts'
import { UNAVAILABLE_RESPONSE, type ApacheVariables, apacheConfig } from './apache-config.ts'
import { prepareSvnFolders } from './make-repository.ts'
import { listPlacedProjects, writeProjectConfigs } from './project-configs.ts'
import { svnUser } from './run-tool.ts'
import { getSvnFolders, mainConfigFile, writeFileAtomically, writeOwnFile } from './svn-folders.ts'

const PROGRAM = '/usr/sbin/apache2'
const MODULE = '/usr/lib/apache2/modules/mod_dav_svn.so'
const START_TIMEOUT_MS = 20_000

export interface LocalApache {
  readonly pid: number
  stop(): Promise<void>
  /** Kills it and all its children, like a power failure. */
  kill(): Promise<void>
}

/** Whether Apache and its Subversion module are installed. */
export function hasApache(): boolean {
  return existsSync(PROGRAM) && existsSync(MODULE)
}

/**
 * Writes the Apache configuration, with the file of each project that has a folder, and returns the path of the main
 * file. Apache's environment has no database, and after a restore only the folders are there.
 */
export async function writeApacheConfig(config: ApacheVariables): Promise<string> {
  const places = getSvnFolders(config)
  await prepareSvnFolders(places)
  await rm(join(places.apache, 'seen'), { recursive: true, force: true })
  await writeFileAtomically(join(places.apache, 'away.xml'), UNAVAILABLE_RESPONSE)
  await writeProjectConfigs(places, await listPlacedProjects(places))
  const file = mainConfigFile(places)
  await writeOwnFile(file, await mainConfig(config))
  return file
}

/** The text of the main file, as this process would write it. */
export async function mainConfig(config: ApacheVariables): Promise<string> {
  return apacheConfig(getSvnFolders(config).apache, config, (await svnUser()) && { name: 'www-data' })
}

// The shell execs Apache and leaves a grandchild that holds our pipe: if we die, even by SIGKILL, the pipe ends without
// a line and the grandchild stops Apache. All values are passed as arguments.
const STOP_WITH_PARENT_SCRIPT = '( (read -r line <&3 || kill -TERM $$) & ); exec "$@" 3<&-'

/** A private Apache for tests, development and benchmarks; it ends with this process. */
export async function startApache(config: Config): Promise<LocalApache> {
  const { apache: folder } = getSvnFolders(config)
  const file = await writeApacheConfig(config)
  const apache = spawn(
    '/bin/sh',
    ['-c', STOP_WITH_PARENT_SCRIPT, 'sh', PROGRAM, '-d', folder, '-f', file, '-D', 'FOREGROUND'],
    {
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  apache.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [, , , lifeline] = apache.stdio
  if (!(lifeline instanceof Writable)) throw new Error('The pipe to Apache is missing.')
  lifeline.on('error', () => {}) // The grandchild may exit first.
  apache.once('exit', () => lifeline.end('ended\n'))
  const exit = once(apache, 'exit')
  const pid = apache.pid ?? 0
  await waitUntilListening(config, () => apache.exitCode !== null).catch(async (error: unknown) => {
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
      process.kill(-pid, 'SIGKILL') // Apache leads its own process group.
      await exit
    },
  }
}

async function waitUntilListening(
  { WAYPOST_SVN_LISTEN: { host, port } }: Config,
  hasEnded: () => boolean,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!hasEnded() && Date.now() < deadline) {
    const answer = await fetch(`http://${host}:${port}/.waypost/away.xml`).catch(() => undefined)
    if (answer?.ok) return
    await pause(25)
  }
  throw new Error('It does not listen.')
}
