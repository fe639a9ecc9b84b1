import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads Subversion's `db/current` file, which is much cheaper than starting a tool. */
export async function readYoungestRevision(folder: string): Promise<number> {
  const text = await readFile(join(folder, 'db', 'current'), 'utf8')
  const number = Number.parseInt(text, 10)
  if (!Number.isSafeInteger(number)) throw new Error(`${folder} does not say which revision is its last.`)
  return number
}
