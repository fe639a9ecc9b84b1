import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { ApiError } from '../../platform/messages/errors.ts'

const TOOL_TIMEOUT_MS = 30_000
const MAX_OUTPUT_BYTES = 8 * 2 ** 20

/** Subversion tools run with a fixed environment: no dependence on ours, and no secrets. */
export const TOOL_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
}

export interface UnixUser {
  readonly uid: number
  readonly gid: number
}

interface ToolOptions {
  readonly input?: string
  readonly timeLimit?: number
  /** Output limit in bytes; a tool that writes more is killed. */
  readonly largestOutput?: number
}

interface ToolOutput {
  readonly stdout: Buffer
  readonly stderr: string
  /** The output exceeded the limit. */
  readonly isCut: boolean
}

/** A tool exited with a non-zero code. */
export class ToolError extends Error {
  readonly code: number | string
  readonly stderr: string

  constructor(program: string, code: number | string, stderr: string) {
    super(`${program} ended with ${code}: ${stderr.trim()}`)
    this.code = code
    this.stderr = stderr
  }
}

/** Runs a Subversion tool as the user who owns the repositories. */
export async function runTool(
  program: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<ToolOutput> {
  const { input, timeLimit = TOOL_TIMEOUT_MS, largestOutput = MAX_OUTPUT_BYTES } = options
  const tool = spawn(program, args, {
    ...(await svnUser()),
    cwd: '/',
    env: TOOL_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeLimit,
    killSignal: 'SIGKILL',
  })
  const stdout = collectOutput(tool.stdout, largestOutput, () => tool.kill('SIGKILL'))
  const stderr = collectOutput(tool.stderr, 64 * 1024, () => {})
  tool.stdin.on('error', () => {}) // The tool may exit before it has read all input.
  tool.stdin.end(input ?? '')
  const code = await new Promise<number | string>((resolve, reject) => {
    tool.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new ApiError('rule_violated', { cause: 'no_subversion' }) : error),
    )
    tool.on('close', (exit, signal) => resolve(exit ?? signal ?? 'nothing'))
  })
  const said = stderr.bytes().toString()
  if (code !== 0 && !stdout.isCut()) throw toToolError(program, code, said)
  return { stdout: stdout.bytes(), stderr: said, isCut: stdout.isCut() }
}

export function toToolError(program: string, code: number | string, said: string): Error {
  if (/No space left on device|Disk quota exceeded/.test(said)) return new ApiError('storage_full')
  return code === 'SIGKILL' ? new ApiError('unavailable') : new ToolError(program, code, said)
}

function collectOutput(stream: NodeJS.ReadableStream, most: number, onMore: () => void) {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < most) chunks.push(chunk.subarray(0, most - size))
    size += chunk.length
    if (size > most) onMore()
  })
  return { bytes: () => Buffer.concat(chunks), isCut: () => size > most }
}

/** Per process: the system user of this process and its id do not change. */
let unprivileged: Promise<UnixUser | undefined> | undefined

/** Apache does not serve as root: if this server runs as root, the repositories belong to `www-data`. */
export function svnUser(): Promise<UnixUser | undefined> {
  unprivileged ??= findUser()
  return unprivileged
}

const WEB_USER = 'www-data'

async function findUser(): Promise<UnixUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, WEB_USER])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}
