import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Subversion's own note of its last revision: to read it costs next to nothing. */
export async function youngestIn(folder: string): Promise<number> {
  const text = await readFile(join(folder, 'db', 'current'), 'utf8')
  const number = Number.parseInt(text, 10)
  if (!Number.isSafeInteger(number)) throw new Error(`${folder} does not say which revision is its last.`)
  return number
}
