import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `['-t', name]` for a transaction, `['-r', number]` for a revision. */
export type CommitSelector = readonly ['-t' | '-r', string]

const REVISIONS_PER_SHARD = 1000
const LENGTH_LINE = /([KV]) (\d+)\n/y

/**
 * Reads the properties of a commit from Subversion's own file: a hundred times faster than starting a tool, and the
 * committer waits for it. Undefined if they are stored in another form, as in a packed repository.
 */
export async function readCommitProperties(
  folder: string,
  [kind, name]: CommitSelector,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!/^[\w-]+$/.test(name)) return undefined
  const shard = String(Math.floor(Number(name) / REVISIONS_PER_SHARD))
  const place = kind === '-t' ? ['transactions', `${name}.txn`, 'props'] : ['revprops', shard, name]
  const bytes = await readFile(join(folder, 'db', ...place)).catch(() => undefined)
  return bytes && parseProperties(bytes)
}

/** The format: `K`, a length, a name, `V`, a length, a value, and so on until `END`. */
function parseProperties(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  const text = bytes.toString('latin1') // In latin1 one character is one byte, as the lengths count.
  let at = 0
  const take = (letter: string): string | undefined => {
    LENGTH_LINE.lastIndex = at
    const [head, kind, length] = LENGTH_LINE.exec(text) ?? []
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
