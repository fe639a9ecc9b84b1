import { spawn } from 'node:child_process'
import { pipeline, type Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** For all that a process maps: Node alone takes more than half of it, and hardly uses it. */
const MOST_MEMORY = 1280 * 2 ** 20
const LONGEST = 10_000
const LARGEST = 2 ** 20

const PROGRAM = fileURLToPath(new URL('draw-preview.ts', import.meta.url))

/** `unreadable`: it is no picture, or too large a one; `failed`: nothing can be said about it. */
export type Drawn = Buffer | 'unreadable' | 'failed'

/** A small picture of a picture, drawn by a process of its own, which has its limits. */
export async function drawApart(picture: Readable): Promise<Drawn> {
  const child = spawn(
    'prlimit',
    [`--data=${MOST_MEMORY}`, '--core=0', process.execPath, '--max-old-space-size=64', PROGRAM],
    { stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env['PATH'] }, timeout: LONGEST, killSignal: 'SIGKILL' },
  )
  const { promise, resolve } = Promise.withResolvers<number | 'failed'>()
  child.once('error', () => resolve('failed'))
  child.once('close', (code) => resolve(code ?? 'failed'))
  let hasAll = false
  pipeline(picture, child.stdin, (error) => {
    hasAll = !error
    // A part of a picture must not be drawn as if it were the whole. That the process has gone, it says itself.
    if (error && !child.stdin.writableFinished) child.kill('SIGKILL')
  })
  const drawn = await collect(child.stdout, () => child.kill('SIGKILL'))
  const code = await promise
  if (code === 0 && hasAll && drawn.length > 0) return drawn
  return code === 1 ? 'unreadable' : 'failed'
}

async function collect(output: Readable, stop: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of output) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > LARGEST) stop()
    else chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
