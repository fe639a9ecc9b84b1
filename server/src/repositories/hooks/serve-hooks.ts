import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, readdir, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Context } from '../../platform/operation/context.ts'
import { preparePlaces } from '../disk/make-repository.ts'
import { placesOf } from '../disk/places.ts'
import { svnUser } from '../disk/run-tool.ts'
import type { Listening } from '../sign-in/serve-sign-in.ts'
import { answerHook } from './answer-hook.ts'

export interface Serving extends Listening {
  /** Resolves when all that was answered is done. */
  settled(): Promise<void>
}

const LARGEST_QUESTION = 16 * 2 ** 20
const LENGTH = 4

/** Answers the hooks of repositories through a socket of this process's own, beside those of others. */
export async function serveHooks(context: Context): Promise<Serving> {
  const places = placesOf(context.config)
  await preparePlaces(places)
  await removeDeadSockets(places.sockets)
  const path = join(places.sockets, `${randomUUID().slice(0, 8)}.sock`)
  const open = new Set<Socket>()
  const under = new Set<Promise<void>>()
  const goOn = (later: () => Promise<void>) => {
    const work = later().finally(() => under.delete(work))
    under.add(work)
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serve(context, socket, goOn)
  })
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
      await Promise.all(under)
    },
    async settled() {
      await Promise.all(under)
    },
  }
}

/** The question comes as a whole, then the answer: `yes`, or `no` and why. */
function serve(context: Context, socket: Socket, goOn: (later: () => Promise<void>) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > LARGEST_QUESTION) socket.destroy()
    else chunks.push(chunk)
  })
  socket.on('end', () => {
    answer(context, socket, Buffer.concat(chunks), goOn).catch(() => socket.destroy())
  })
}

async function answer(
  context: Context,
  socket: Socket,
  question: Buffer,
  goOn: (later: () => Promise<void>) => void,
): Promise<void> {
  const { refusal, later } = await answerHook(context, readQuestion(question))
  socket.end(refusal === undefined ? 'yes\n' : `no\n${refusal}\n`)
  if (later) goOn(later)
}

/** Texts of any content, each after its length. */
function readQuestion(bytes: Buffer): string[] {
  const parts: string[] = []
  for (let at = 0; at + LENGTH <= bytes.length; ) {
    const end = at + LENGTH + bytes.readUInt32BE(at)
    parts.push(bytes.toString('utf8', at + LENGTH, end))
    at = end
  }
  return parts
}

/** Of processes that were killed. */
async function removeDeadSockets(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.sock') && !(await isAlive(path))) await rm(path, { force: true })
  }
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
