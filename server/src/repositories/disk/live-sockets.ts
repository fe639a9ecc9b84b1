import { readdir, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'

/** The names of sockets in a folder that have a listening process. Removes stale sockets of killed processes. */
export async function listLiveSockets(folder: string): Promise<string[]> {
  const live: string[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.sock')) continue
    if (await isAlive(join(folder, name))) live.push(name)
    else await rm(join(folder, name), { force: true })
  }
  return live
}

/** Only a refused connection or a missing socket means that no process listens; a busy process is alive. */
export function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      socket.destroy()
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT')
    })
  })
}
