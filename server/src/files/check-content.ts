import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { BlobKey } from './store/blob-store.ts'

const CHECK_TIMEOUT_MS = 60_000
const EXIT_ACCEPTED = 0
const EXIT_REFUSED = 1

/** Runs the operator's check command on a content, if one is configured. */
export async function checkContent(
  { config, blobs, log }: Pick<Context, 'config' | 'blobs' | 'log'>,
  key: BlobKey,
  timeLimit = CHECK_TIMEOUT_MS,
): Promise<void> {
  const [command, ...args] = config.WAYPOST_FILES_CHECK
  if (command === undefined) return
  const outcome = await runChecker(command, args, await blobs.get(key), timeLimit)
  if (outcome === EXIT_ACCEPTED) return
  if (outcome === EXIT_REFUSED) throw new ApiError('rule_violated', { cause: 'file_refused' })
  log.error({ verdict: String(outcome) }, 'a file could not be checked')
  throw new ApiError('unavailable')
}

/**
 * The exit code, or the reason why there is none. The command gets no secrets, neither in its arguments nor in its
 * environment.
 */
async function runChecker(
  command: string,
  args: readonly string[],
  content: Readable,
  timeout: number,
): Promise<unknown> {
  const checker = spawn(command, args, {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
    timeout,
    killSignal: 'SIGKILL',
  })
  // The command may exit before reading everything; only its exit code counts.
  const given = pipeline(content, checker.stdin).catch(() => {})
  try {
    const [code, signal] = await once(checker, 'exit')
    return code ?? signal
  } catch (error) {
    return error // The command does not exist.
  } finally {
    content.destroy()
    await given
  }
}
