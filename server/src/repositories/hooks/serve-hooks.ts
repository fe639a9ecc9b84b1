import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Context } from '../../platform/operation/context.ts'
import { listLiveSockets } from '../disk/live-sockets.ts'
import { prepareSvnFolders } from '../disk/make-repository.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import { svnUser } from '../disk/run-tool.ts'
import type { ListeningServer } from '../sign-in/serve-sign-in.ts'
import { answerHook } from './answer-hook.ts'

export interface HookServer extends ListeningServer {
  /** Resolves when all background work is done. */
  settled(): Promise<void>
}

const MAX_REQUEST_BYTES = 16 * 2 ** 20
const LENGTH_PREFIX_BYTES = 4

/** Serves the commit hooks on a socket of this process; each process has its own. */
export async function serveHooks(context: Context): Promise<HookServer> {
  const places = getSvnFolders(context.config)
  await prepareSvnFolders(places)
  await listLiveSockets(places.sockets) // Removes stale sockets of killed processes.
  const path = join(places.sockets, `${randomUUID().slice(0, 8)}.sock`)
  const open = new Set<Socket>()
  const pendingWork = new Set<Promise<void>>()
  const runLater = (later: () => Promise<void>) => {
    // An unhandled rejection would end the process.
    const work = later()
      .catch((error: unknown) => context.log.error({ err: error }, 'the work after a hook failed'))
      .finally(() => pendingWork.delete(work))
    pendingWork.add(work)
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serveConnection(context, socket, runLater)
  })
  // A failed accept must not end the process.
  server.on('error', (error) => context.log.error({ err: error }, 'the socket of the hooks failed'))
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  const user = await svnUser()
  if (user) await chown(path, user.uid, user.gid)
  return {
    async close() {
      await rm(path, { force: true })
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      await closed
      await Promise.all(pendingWork)
    },
    async settled() {
      await Promise.all(pendingWork)
    },
  }
}

/** Reads the whole request, then responds: `yes`, or `no` and the reason. */
function serveConnection(context: Context, socket: Socket, runLater: (later: () => Promise<void>) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_REQUEST_BYTES) socket.destroy()
    else chunks.push(chunk)
  })
  socket.on('end', () => {
    respondToHook(context, socket, Buffer.concat(chunks), runLater).catch(() => socket.destroy())
  })
}

async function respondToHook(
  context: Context,
  socket: Socket,
  question: Buffer,
  runLater: (later: () => Promise<void>) => void,
): Promise<void> {
  const { refusal, later } = await answerHook(context, parseHookArguments(question))
  socket.end(refusal === undefined ? 'yes\n' : `no\n${refusal}\n`)
  if (later) runLater(later)
}

/** Length-prefixed strings. */
function parseHookArguments(bytes: Buffer): string[] {
  const parts: string[] = []
  for (let at = 0; at + LENGTH_PREFIX_BYTES <= bytes.length; ) {
    const end = at + LENGTH_PREFIX_BYTES + bytes.readUInt32BE(at)
    parts.push(bytes.toString('utf8', at + LENGTH_PREFIX_BYTES, end))
    at = end
  }
  return parts
}
