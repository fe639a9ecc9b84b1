import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Which } from './changed-paths.ts'

const IN_A_FOLDER = 1000
const NUMBER = /([KV]) (\d+)\n/y

/**
 * The properties of a commit, from the small file in which Subversion keeps them: to read it is a hundred times quicker than
 * to start a tool, for which everybody who commits waits. Undefined: they are kept in another way, as in a packed repository.
 */
export async function readKeptProperties(
  folder: string,
  [kind, name]: Which,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!/^[\w-]+$/.test(name)) return undefined
  const shard = String(Math.floor(Number(name) / IN_A_FOLDER))
  const place = kind === '-t' ? ['transactions', `${name}.txn`, 'props'] : ['revprops', shard, name]
  const bytes = await readFile(join(folder, 'db', ...place)).catch(() => undefined)
  return bytes && parse(bytes)
}

/** `K`, a length, a name, `V`, a length, a value, and so on until `END`. */
function parse(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  const text = bytes.toString('latin1') // A letter is a byte: lengths count bytes.
  let at = 0
  const take = (letter: string): string | undefined => {
    NUMBER.lastIndex = at
    const [head, kind, length] = NUMBER.exec(text) ?? []
    if (head === undefined || kind !== letter) return undefined
    const begin = at + head.length
    const end = begin + Number(length)
    if (text[end] !== '\n') return undefined
    at = end + 1
    return bytes.toString('utf8', begin, end)
  }
  while (text.slice(at) !== 'END\n') {
    const [name, value] = [take('K'), take('V')]
    if (name === undefined || value === undefined) return undefined
    found.set(name, value)
  }
  return found
}
