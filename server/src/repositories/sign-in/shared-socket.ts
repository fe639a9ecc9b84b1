import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, readlink, rename, rm, symlink } from 'node:fs/promises'
import type { Server } from 'node:net'
import { join } from 'node:path'
import type { Context } from '../../platform/operation/context.ts'
import { isAlive, listLiveSockets } from '../disk/live-sockets.ts'
import { SIGN_IN_SOCKET } from '../disk/svn-folders.ts'
import { svnUser } from '../disk/run-tool.ts'

const CHECK_INTERVAL_MS = 500

export interface SharedSocket {
  /** Hands the name over to another process, if there is one. Call it before closing the server. */
  release(): Promise<void>
}

/**
 * Listens on a Unix socket that only the owner and the group of the repositories can open. Processes on one machine
 * share one name, a symlink to the newest socket: a process that ends hands it over, and a killed one is replaced
 * within half a second.
 */
export async function listenOnSharedSocket(server: Server, folder: string, { log }: Context): Promise<SharedSocket> {
  await listLiveSockets(folder)
  const name = `${randomUUID().slice(0, 8)}.sock`
  const path = join(folder, name)
  const link = join(folder, SIGN_IN_SOCKET)
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o660)
  const user = await svnUser()
  if (user) await chown(path, user.uid, user.gid)
  const pointTo = async (target: string) => {
    const fresh = `${link}.${randomUUID()}`
    await symlink(target, fresh)
    await rename(fresh, link)
  }
  const target = () => readlink(link).catch(() => undefined)
  await pointTo(name)
  const takeOverIfDead = async () => {
    if ((await target()) !== name && !(await isAlive(link))) await pointTo(name)
  }
  let check = Promise.resolve()
  const timer = setInterval(() => {
    check = takeOverIfDead().catch((error: unknown) =>
      log.warn({ err: error }, 'the socket of the svn sign-in was not checked'),
    )
  }, CHECK_INTERVAL_MS).unref()
  return {
    async release() {
      clearInterval(timer)
      await check
      if ((await target()) === name) {
        const other = (await listLiveSockets(folder)).find((each) => each !== name)
        await (other === undefined ? rm(link, { force: true }) : pointTo(other))
      }
      await rm(path, { force: true })
    },
  }
}
