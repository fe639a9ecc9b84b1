import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../../platform/words/errors.ts'
import { ENVIRONMENT, faultOf, svnUser } from './run-tool.ts'

const MOST_SAID = 64 * 1024
/** What a stream says when the tool at its other end is gone. */
const ENDED = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

interface Flow {
  /** What it reads, each through the next. */
  readonly input?: readonly [Readable, ...NodeJS.ReadWriteStream[]]
  /** Where that goes what it writes. */
  readonly output?: readonly (NodeJS.ReadWriteStream | Writable)[]
}

/** The same as `runTool` for what is too much to be held, and takes as long as it takes. */
export async function streamTool(program: string, args: readonly string[], { input, output }: Flow): Promise<void> {
  const tool = spawn(program, args, {
    ...(await svnUser()),
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  tool.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, MOST_SAID)
  })
  const ended = new Promise<number | string>((resolve, reject) => {
    tool.on('error', reject)
    tool.on('close', (exit, signal) => resolve(exit ?? signal ?? 'nothing'))
  })
  const flows = Promise.all([
    input ? pipeline([...input, tool.stdin]) : tool.stdin.end(),
    output ? pipeline([tool.stdout, ...output]) : tool.stdout.resume(),
  ])
  const broken = flows.then(
    () => undefined,
    (error: unknown) => error,
  )
  const [code, fault] = await Promise.all([ended, broken])
  // Whoever broke it first knows why.
  if (fault !== undefined && !ENDED.has(codeOf(fault)))
    throw codeOf(fault) === 'ENOSPC' ? new ApiError('storage_full') : fault
  if (code !== 0) throw faultOf(program, code, said)
  if (fault !== undefined) throw fault
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
