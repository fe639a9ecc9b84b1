import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { BlobKey } from './store/blob-store.ts'

const TIME_LIMIT = 60_000
const GOOD = 0
const REFUSED = 1

/** Asks the command that the operator has named, if any, what it thinks of a content. */
export async function checkContent(
  { config, blobs, log }: Pick<Context, 'config' | 'blobs' | 'log'>,
  key: BlobKey,
  timeLimit = TIME_LIMIT,
): Promise<void> {
  const [command, ...args] = config.WAYPOST_FILES_CHECK
  if (command === undefined) return
  const verdict = await ask(command, args, await blobs.get(key), timeLimit)
  if (verdict === GOOD) return
  if (verdict === REFUSED) throw new ApiError('rule_violated', { cause: 'file_refused' })
  log.error({ verdict: String(verdict) }, 'a file could not be checked')
  throw new ApiError('unavailable')
}

/** Its exit code, or why there is none. It gets no secret of ours: neither by its arguments nor by its environment. */
async function ask(command: string, args: readonly string[], content: Readable, timeout: number): Promise<unknown> {
  const checker = spawn(command, args, {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
    timeout,
    killSignal: 'SIGKILL',
  })
  // It may know enough before the end; what it thinks, its exit says.
  const given = pipeline(content, checker.stdin).catch(() => {})
  try {
    const [code, signal] = await once(checker, 'exit')
    return code ?? signal
  } catch (error) {
    return error // There is no such command.
  } finally {
    content.destroy()
    await given
  }
}
