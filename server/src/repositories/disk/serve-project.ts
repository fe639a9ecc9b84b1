import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { projectConfig } from './apache-config.ts'
import { type Places, placesOf } from './places.ts'
import { runTool } from './run-tool.ts'

const PATIENCE = 30_000

/** Lets Apache serve the repositories of a project, and waits until it does; an Apache that is not running will. */
export async function serveProject(config: Config, shortname: string): Promise<void> {
  const places = placesOf(config)
  const file = join(places.apache, 'projects', `${shortname}.conf`)
  const wanted = projectConfig(places.repositories, shortname)
  if ((await readFile(file, 'utf8').catch(() => '')) === wanted) return
  await writeWhole(file, wanted)
  await reloadApache(config, places)
}

async function reloadApache(config: Config, places: Places): Promise<void> {
  const pid = await apacheIn(places)
  if (pid === undefined) return
  // Nothing else tells when the new configuration is in force: it answers at an address that the old one does not know.
  const seen = randomUUID()
  const file = join(places.apache, 'seen', `${seen}.conf`)
  await writeWhole(file, `Redirect 204 /.waypost/${seen}\n`)
  try {
    await requireSound(places) // Apache would not outlive a configuration that it cannot read.
    const before = await childrenOf(pid)
    const deadline = Date.now() + PATIENCE
    for (let attempt = 0; Date.now() < deadline; attempt++) {
      if (attempt % 40 === 0) process.kill(pid, 'SIGUSR1') // A second one while the first is obeyed is lost.
      if ((await isInForce(config, seen)) && !(await takesRequests(pid, before))) return
      await pause(25)
    }
  } finally {
    await rm(file, { force: true })
  }
  throw new ApiError('unavailable')
}

async function requireSound({ apache }: Places): Promise<void> {
  await runTool('apache2', ['-t', '-d', apache, '-f', join(apache, 'httpd.conf')])
}

async function isInForce({ WAYPOST_SVN_LISTEN: { host, port } }: Config, seen: string): Promise<boolean> {
  const answer = await fetch(`http://${host}:${port}/.waypost/${seen}`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  )
  await answer?.body?.cancel()
  return answer?.status === 204
}

/** Whether one of these children still takes requests, with what it has read before: it holds a socket of its parent's. */
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

/** The number of the running Apache, if there is one. */
async function apacheIn({ apache }: Places): Promise<number | undefined> {
  const pid = Number(await readFile(join(apache, 'httpd.pid'), 'utf8').catch(() => ''))
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(apache) ? pid : undefined
}

/** A reader finds all of it, or nothing. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true })
  const fresh = `${file}.${randomUUID()}`
  await writeFile(fresh, text)
  await rename(fresh, file)
}
