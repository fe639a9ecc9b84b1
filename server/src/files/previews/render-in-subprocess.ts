import { spawn } from 'node:child_process'
import { pipeline, type Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** Limits the address space; Node alone reserves more than half of it. */
const MAX_MEMORY_BYTES = 1280 * 2 ** 20
const RENDER_TIMEOUT_MS = 10_000
const MAX_PREVIEW_BYTES = 2 ** 20

const PROGRAM = fileURLToPath(new URL('draw-preview.ts', import.meta.url))

/** `unreadable`: not an image, or too large; `failed`: a limit or crash, without a verdict. */
export type RenderedPreview = Buffer | 'unreadable' | 'failed'

/** Renders a preview, or a square avatar, in a subprocess with resource limits. */
export async function renderInSubprocess(
  picture: Readable,
  form: 'preview' | 'avatar' = 'preview',
): Promise<RenderedPreview> {
  const child = spawn(
    'prlimit',
    [`--data=${MAX_MEMORY_BYTES}`, '--core=0', process.execPath, '--max-old-space-size=64', PROGRAM, form],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] },
      timeout: RENDER_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    },
  )
  const { promise, resolve } = Promise.withResolvers<number | 'failed'>()
  child.on('error', () => resolve('failed'))
  child.once('close', (code) => resolve(code ?? 'failed'))
  let hasAll = false
  pipeline(picture, child.stdin, (error) => {
    hasAll = !error
    // A truncated image must not be rendered as complete. If the subprocess has exited, its exit code tells.
    if (error && !child.stdin.writableFinished) child.kill('SIGKILL')
  })
  const rendered = await collectOutput(child.stdout, () => child.kill('SIGKILL'))
  const code = await promise
  if (code === 0 && hasAll && rendered.length > 0) return rendered
  return code === 1 ? 'unreadable' : 'failed'
}

async function collectOutput(output: Readable, stop: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of output) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MAX_PREVIEW_BYTES) stop()
    else chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
