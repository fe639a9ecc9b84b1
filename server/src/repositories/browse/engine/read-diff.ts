import { SaxesParser } from 'saxes'
import type { Operation } from './read-log.ts'
import { compareTexts } from './read-nodes.ts'
import { type DiffedProp, type Hunk, parseDiff } from './parse-diff.ts'
import type { Browsed } from './session.ts'
import { addressOf, pathIn, runSvn } from './svn-client.ts'

export interface DiffedFile {
  readonly path: string
  readonly op: Operation
  readonly is_binary: boolean
  readonly hunks: Hunk[]
  readonly props: DiffedProp[]
  readonly truncated: boolean
}

interface Compared {
  readonly path: string
  readonly kind: 'dir' | 'file'
  readonly from: number
  readonly to: number
  readonly context: number
}

const LARGEST_DIFF = 5 * 2 ** 20
const LARGEST_SUMMARY = 32 * 2 ** 20
const MOST_FILES = 2000

/** What has changed below a path between two revisions, as far as both limits go. */
export async function readDiff(
  browsed: Browsed,
  { path, kind, from, to, context }: Compared,
): Promise<{ files: DiffedFile[]; truncated: boolean }> {
  const sides = [`--old=${addressOf(browsed, path, from)}`, `--new=${addressOf(browsed, path, to)}`]
  const [summary, text] = await Promise.all([
    runSvn(browsed, ['diff', '--summarize', '--xml', ...sides], LARGEST_SUMMARY),
    runSvn(browsed, ['diff', '--internal-diff', '-x', `-U ${context}`, ...sides], LARGEST_DIFF),
  ])
  const changed = changesIn(browsed, summary.stdout.toString())
  const parsed = parseDiff(text.stdout, text.isCut)
  const absolute = (shown: string) => (kind === 'file' || shown === '.' ? path : `${path === '/' ? '' : path}/${shown}`)
  const texts = new Map(parsed.map((file) => [absolute(file.path), file]))
  const files = changed
    .filter(({ path: each, isFolder }) => !isFolder || texts.has(each))
    .toSorted((one, other) => compareTexts(one.path, other.path))
    .map(({ path: each, op }) => {
      const { is_binary = false, hunks = [], props = [], truncated = text.isCut } = texts.get(each) ?? {}
      return { path: each, op, is_binary, hunks: is_binary ? [] : hunks, props: inOrder(props), truncated }
    })
  const isCut = text.isCut || summary.isCut || files.length > MOST_FILES
  return { files: files.slice(0, MOST_FILES), truncated: isCut }
}

function inOrder(props: readonly DiffedProp[]): DiffedProp[] {
  return props.toSorted((one, other) => compareTexts(one.name, other.name))
}

const OPERATIONS: Readonly<Record<string, Operation>> = { added: 'added', deleted: 'deleted', replaced: 'replaced' }

interface Change {
  readonly path: string
  readonly op: Operation
  readonly isFolder: boolean
}

/** Something that was deleted and added again comes twice. */
function changesIn(browsed: Browsed, xml: string): Change[] {
  const found = new Map<string, Change>()
  const parser = new SaxesParser()
  let open: { item: string; kind: string; text: string } | undefined
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'path') open = { item: attributes['item'] ?? '', kind: attributes['kind'] ?? '', text: '' }
  })
  parser.on('text', (text) => {
    if (open) open.text += text
  })
  parser.on('closetag', () => {
    if (!open) return
    const path = pathIn(browsed, open.text)
    const op = found.has(path) ? 'replaced' : (OPERATIONS[open.item] ?? 'modified')
    found.set(path, { path, op, isFolder: open.kind === 'dir' })
    open = undefined
  })
  parser.on('error', () => {}) // The end may be missing.
  parser.write(xml).close()
  return [...found.values()]
}
