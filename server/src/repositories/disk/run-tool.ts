import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { ApiError } from '../../platform/words/errors.ts'

const TIME_LIMIT = 30_000
const LARGEST_OUTPUT = 8 * 2 ** 20

/** The tools of Subversion get nothing of our environment: their answers must not depend on it, nor see its secrets. */
export const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' }

export interface User {
  readonly uid: number
  readonly gid: number
}

interface ToolOptions {
  readonly input?: string
  readonly timeLimit?: number
  /** How much of what it says is kept; a tool that says more is ended. */
  readonly largestOutput?: number
}

interface Said {
  readonly stdout: Buffer
  readonly stderr: string
  /** It has said more than is kept. */
  readonly isCut: boolean
}

/** A tool has ended with another code than 0. */
export class ToolError extends Error {
  readonly code: number | string
  readonly said: string

  constructor(program: string, code: number | string, said: string) {
    super(`${program} ended with ${code}: ${said.trim()}`)
    this.code = code
    this.said = said
  }
}

/** Runs one of Subversion's tools, as the user who owns the repositories. */
export async function runTool(program: string, args: readonly string[], options: ToolOptions = {}): Promise<Said> {
  const { input, timeLimit = TIME_LIMIT, largestOutput = LARGEST_OUTPUT } = options
  const tool = spawn(program, args, {
    ...(await svnUser()),
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeLimit,
    killSignal: 'SIGKILL',
  })
  const stdout = keep(tool.stdout, largestOutput, () => tool.kill('SIGKILL'))
  const stderr = keep(tool.stderr, 64 * 1024, () => {})
  tool.stdin.on('error', () => {}) // It may know enough before the end.
  tool.stdin.end(input ?? '')
  const code = await new Promise<number | string>((resolve, reject) => {
    tool.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new ApiError('rule_violated', { cause: 'no_subversion' }) : error),
    )
    tool.on('close', (exit, signal) => resolve(exit ?? signal ?? 'nothing'))
  })
  const said = stderr.bytes().toString()
  if (code !== 0 && !stdout.isCut()) throw faultOf(program, code, said)
  return { stdout: stdout.bytes(), stderr: said, isCut: stdout.isCut() }
}

export function faultOf(program: string, code: number | string, said: string): Error {
  if (/No space left on device|Disk quota exceeded/.test(said)) return new ApiError('storage_full')
  return code === 'SIGKILL' ? new ApiError('unavailable') : new ToolError(program, code, said)
}

function keep(stream: NodeJS.ReadableStream, most: number, onMore: () => void) {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < most) chunks.push(chunk.subarray(0, most - size))
    size += chunk.length
    if (size > most) onMore()
  })
  return { bytes: () => Buffer.concat(chunks), isCut: () => size > most }
}

let unprivileged: Promise<User | undefined> | undefined

/** Apache serves nobody as root: where this server is root, the repositories are those of Debian's user for the web. */
export function svnUser(): Promise<User | undefined> {
  unprivileged ??= findUser()
  return unprivileged
}

const WEB_USER = 'www-data'

async function findUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, WEB_USER])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}
