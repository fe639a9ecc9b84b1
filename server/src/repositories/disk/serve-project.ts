import { randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeProjectConfigs } from './project-configs.ts'
import { type SvnFolders, getSvnFolders, mainConfigFile, writeFileAtomically } from './svn-folders.ts'
import { runTool } from './run-tool.ts'

const RELOAD_TIMEOUT_MS = 30_000

/**
 * Makes Apache serve the repositories of a project, and waits until it does. If Apache is not running, it reads the
 * configuration at its start.
 */
export async function serveProject(config: Config, shortname: string): Promise<void> {
  await serveProjects(config, [shortname])
}

/** The same for many projects, with one reload if a file was missing or different. Returns the projects of these files. */
export async function serveProjects(config: Config, shortnames: readonly string[]): Promise<string[]> {
  const places = getSvnFolders(config)
  const written = await writeProjectConfigs(places, shortnames)
  if (written.length > 0) await reloadApache(config, places)
  return written
}

async function reloadApache(config: Config, places: SvnFolders): Promise<void> {
  const pid = await findApachePid(places)
  if (pid === undefined) return
  // Detects the reload by a probe address that only the new configuration knows.
  const seen = randomUUID()
  const file = join(places.apache, 'seen', `${seen}.conf`)
  await writeFileAtomically(file, `Redirect 204 /.waypost/${seen}\n`)
  try {
    await assertConfigValid(places) // Apache exits on a reload with an invalid configuration.
    const before = await childrenOf(pid)
    const deadline = Date.now() + RELOAD_TIMEOUT_MS
    for (let attempt = 0; Date.now() < deadline; attempt++) {
      if (attempt % 40 === 0) process.kill(pid, 'SIGUSR1') // Apache drops a signal that arrives during a reload, so repeat it.
      if ((await isConfigActive(config, seen)) && !(await takesRequests(pid, before))) return
      await pause(25)
    }
  } finally {
    await rm(file, { force: true })
  }
  throw new ApiError('unavailable')
}

async function assertConfigValid(places: SvnFolders): Promise<void> {
  await runTool('apache2', ['-t', '-d', places.apache, '-f', mainConfigFile(places)])
}

async function isConfigActive({ WAYPOST_SVN_LISTEN: { host, port } }: Config, seen: string): Promise<boolean> {
  const answer = await fetch(`http://${host}:${port}/.waypost/${seen}`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  )
  await answer?.body?.cancel()
  return answer?.status === 204
}

/**
 * Whether an old child still accepts requests with the old configuration: it holds a listening socket of its parent.
 */
async function takesRequests(parent: number, children: readonly string[]): Promise<boolean> {
  const listening = new Set(await socketsOf(parent))
  for (const child of children) if ((await socketsOf(child)).some((socket) => listening.has(socket))) return true
  return false
}

async function childrenOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean)
}

async function socketsOf(pid: number | string): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return targets.filter((target) => target.startsWith('socket:'))
}

/** The process id of the running Apache, if any. */
async function findApachePid({ apache }: SvnFolders): Promise<number | undefined> {
  const pid = Number(await readFile(join(apache, 'httpd.pid'), 'utf8').catch(() => ''))
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(apache) ? pid : undefined
}
