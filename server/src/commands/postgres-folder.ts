import { createHash } from 'node:crypto'
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The folder of PostgreSQL's data: inside the development folder. PostgreSQL does not run as root, so for root the path
 * must be accessible to another user; below a closed folder, such as root's home, it is in `/var/tmp`.
 */
export async function postgresFolder(data: string): Promise<string> {
  if (process.getuid?.() !== 0) return data
  await chmod(data, 0o711)
  if (await isOpenToAll(data)) return data
  const beside = join('/var/tmp', `waypost-${createHash('sha256').update(data).digest('hex').slice(0, 12)}`)
  await mkdir(beside, { recursive: true, mode: 0o711 })
  return beside
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder))
}
