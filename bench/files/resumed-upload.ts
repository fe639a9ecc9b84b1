import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { print } from '../../server/src/commands/print.ts'
import { MARA } from '../../server/test/fixtures/people.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import { type FilesWorld, makeUploadTracker } from './world.ts'

export interface ResumedOptions {
  readonly bytes: number
  readonly interruptions: number
}

export interface ResumedFigures extends ResumedOptions {
  readonly seconds: number
  readonly is_right: boolean
  /** The maximum memory growth of any server since its start, in MB. */
  readonly memory_growth: number
}

const CLIENT = fileURLToPath(new URL('upload-client.ts', import.meta.url))
const MiB = 2 ** 20
const KINDS = ['client killed', 'server killed', 'server held'] as const
const HOLD_MS = 2000

/** Uploads a large file while client and server are killed, and the server is paused, in turn. */
export async function measureResumed(world: FilesWorld, options: ResumedOptions): Promise<ResumedFigures> {
  const source = join(world.folder, 'source.bin')
  const digest = await makeSource(source, options.bytes)
  const origin = `http://127.0.0.1:${world.port}`
  let server = await world.start()
  const shelf = await makeUploadTracker(server, 'large')
  const { id, upload } = await shelf.announce('large.bin', options.bytes)
  const headers = { 'x-auth-accesskey': MARA.key }
  const memory = watchMemory(() => server)
  const startClient = () => {
    const child = spawn(process.execPath, [CLIENT, `${origin}${upload}`, source, String(options.bytes)], {
      stdio: 'ignore',
    })
    return { child, ended: once(child, 'exit') }
  }
  let client = startClient()
  const began = performance.now()
  for (let turn = 1; turn <= options.interruptions; turn++) {
    await untilReceived((turn * options.bytes) / (options.interruptions + 1))
    const kind = KINDS[turn % KINDS.length]
    if (kind === 'client killed') {
      await kill(client.child)
      client = startClient()
    } else if (kind === 'server killed') {
      await server.stop('SIGKILL')
      server = await world.start()
    } else {
      process.kill(server.pid, 'SIGSTOP')
      await pause(HOLD_MS)
      process.kill(server.pid, 'SIGCONT')
    }
  }
  const [code] = await client.ended
  if (code !== 0) throw new Error(`The client ended with ${String(code)}.`)
  const seconds = (performance.now() - began) / 1000
  await shelf.attach([id])
  const answer = await fetch(`${origin}/files/${id}/large.bin`, { headers })
  const hash = createHash('sha256')
  if (answer.body) for await (const chunk of Readable.fromWeb(answer.body)) hash.update(chunk)
  const figures = {
    ...options,
    seconds: Math.round(seconds * 10) / 10,
    is_right: hash.digest('hex') === digest,
    memory_growth: await memory.end(),
  }
  print(`resumed upload: ${JSON.stringify(figures)}`)
  await server.stop()
  await rm(source)
  return figures

  async function untilReceived(wanted: number): Promise<void> {
    for (;;) {
      const asked = await fetch(`${origin}${upload}`, {
        method: 'HEAD',
        headers: { ...headers, 'tus-resumable': '1.0.0' },
      }).catch(() => undefined)
      if (asked?.status === 404 || Number(asked?.headers.get('upload-offset') ?? 0) >= wanted) return
      await pause(20)
    }
  }
}

async function makeSource(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  for (let at = 0; at < bytes; at += MiB) {
    const part = randomBytes(Math.min(MiB, bytes - at))
    hash.update(part)
    await file.write(part)
  }
  await file.close()
  return hash.digest('hex')
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Compares the memory of each server with its first measurement. */
function watchMemory(current: () => ServerProcess) {
  const first = new Map<number, number>()
  let growth = 0
  const look = async () => {
    const { pid } = current()
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
    const megabytes = Number(kilobytes) / 1024
    if (megabytes === 0) return
    if (!first.has(pid)) first.set(pid, megabytes)
    growth = Math.max(growth, megabytes - (first.get(pid) ?? 0))
  }
  const timer = setInterval(() => void look(), 100)
  return {
    async end() {
      clearInterval(timer)
      await look()
      return Math.round(growth)
    },
  }
}
