import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '../../platform/messages/errors.ts'
import { TOOL_ENVIRONMENT, toToolError, svnUser } from './run-tool.ts'

const MAX_STDERR_LENGTH = 64 * 1024
/** Error codes of a stream whose other end has exited. */
const BROKEN_PIPE_CODES = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

interface ToolStreams {
  /** The input, piped through each stream in order. */
  readonly input?: readonly [Readable, ...NodeJS.ReadWriteStream[]]
  /** The streams that receive the output, in order. */
  readonly output?: readonly (NodeJS.ReadWriteStream | Writable)[]
}

/** Like `runTool`, for unbounded output and without a timeout. */
export async function streamTool(
  program: string,
  args: readonly string[],
  { input, output }: ToolStreams,
): Promise<void> {
  const tool = spawn(program, args, {
    ...(await svnUser()),
    cwd: '/',
    env: TOOL_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  tool.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, MAX_STDERR_LENGTH)
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
  // A broken pipe is only a consequence; report the original error.
  if (fault !== undefined && !BROKEN_PIPE_CODES.has(streamErrorCode(fault)))
    throw streamErrorCode(fault) === 'ENOSPC' ? new ApiError('storage_full') : fault
  if (code !== 0) throw toToolError(program, code, said)
  if (fault !== undefined) throw fault
}

function streamErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
