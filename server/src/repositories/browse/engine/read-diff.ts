import { isBinary, LARGEST_FILE } from '../text-of-file.ts'
import { type Difference, diffTexts, type Pair } from './diff-texts.ts'
import { type DiffedProp, type Hunk, linesOf } from './parse-diff.ts'
import { type Change, readChanges, type Sides } from './read-changes.ts'
import { compareTexts, type Node, type Props, readNodes, readProps, readText } from './read-nodes.ts'
import type { SvnSession } from './session.ts'

export interface DiffedFile extends Pick<Change, 'path' | 'op'> {
  readonly is_binary: boolean
  readonly hunks: Hunk[]
  readonly props: DiffedProp[]
  readonly truncated: boolean
}

interface Compared extends Sides {
  readonly context: number
}

const LARGEST_DIFF = 5 * 2 ** 20
const MOST_FILES = 2000
/** Of all texts that are compared, to be held at once; what is beyond is named without its lines. */
const MOST_READ = 64 * 2 ** 20
const NOTHING = Buffer.alloc(0)

/** What has changed below a path between two revisions, as far as all limits go. */
export async function readDiff(
  session: SvnSession,
  { path, from, to, context }: Compared,
  nodes: { readonly old: Node | undefined; readonly fresh: Node | undefined },
): Promise<{ files: DiffedFile[]; truncated: boolean }> {
  const changes = await readChanges(session, { path, from, to }, nodes, MOST_FILES)
  const shown = changes.toSorted((one, other) => compareTexts(one.path, other.path)).slice(0, MOST_FILES)
  const [old, fresh] = [await readSide(session, shown, from), await readSide(session, shown, to)]
  const texts = shown.map((change, at) => textsOf(change, old[at], fresh[at]))
  const differences = await diffTexts(texts.flatMap(pairsOf), context, LARGEST_DIFF)
  const files = cut(texts.map((text) => fileOf(text, differences.splice(0, pairsOf(text).length))))
  return { files, truncated: changes.length > MOST_FILES || files.some(({ truncated }) => truncated) }
}

/** Undefined: it is not there. */
type Side = { readonly props: Props; readonly text: Buffer; readonly isUnread: boolean } | undefined

async function readSide(session: SvnSession, changes: readonly Change[], revision: number): Promise<Side[]> {
  const nodes = await readNodes(
    session,
    changes.map(({ path }) => ({ path, revision })),
  )
  const there = changes.flatMap(({ path, kind }, at) => {
    const node = nodes[at]
    return node?.kind === kind ? { ...node, path } : []
  })
  const props = await readProps(session, there, revision)
  const sides = new Map<string, Side>()
  let left = MOST_READ / 2
  for (const [at, { path, size }] of there.entries()) {
    const isUnread = size !== null && (size > LARGEST_FILE || size > left)
    const text = size === null || isUnread ? NOTHING : await readText(session, path, revision)
    left -= text.length
    sides.set(path, { props: props[at] ?? {}, text, isUnread })
  }
  return changes.map(({ path }) => sides.get(path))
}

/** What is to be compared of a change: its text, and each property that is another. */
interface Texts {
  readonly change: Change
  readonly is_binary: boolean
  readonly isUnread: boolean
  readonly text: Pair | undefined
  readonly props: readonly { readonly name: string; readonly op: DiffedProp['op']; readonly pair: Pair }[]
}

function textsOf(change: Change, old: Side, fresh: Side): Texts {
  const is_binary = [old, fresh].some((side) => side && isBinary(side.props, side.text))
  const isUnread = [old, fresh].some((side) => side?.isUnread)
  const isShown = change.kind === 'file' && !is_binary && !isUnread
  const text = isShown ? { old: old?.text ?? NOTHING, fresh: fresh?.text ?? NOTHING } : undefined
  const [before, after] = [old?.props ?? {}, fresh?.props ?? {}]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted(compareTexts)
  const props = names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      name,
      op: operationOf(before[name], after[name]),
      pair: { old: Buffer.from(before[name] ?? ''), fresh: Buffer.from(after[name] ?? '') },
    }))
  return { change, is_binary, isUnread, text, props }
}

function operationOf(before: string | undefined, after: string | undefined): DiffedProp['op'] {
  if (before === undefined) return 'added'
  return after === undefined ? 'deleted' : 'modified'
}

/** Only what has two sides needs comparing. */
function pairsOf({ text, props }: Texts): Pair[] {
  return [...(text ? [text] : []), ...props.map(({ pair }) => pair)].filter(isTwoSided)
}

function isTwoSided({ old, fresh }: Pair): boolean {
  return old.length > 0 && fresh.length > 0
}

function fileOf({ change, is_binary, isUnread, text, props }: Texts, found: (Difference | undefined)[]): DiffedFile {
  const take = (pair: Pair, what: string) => (isTwoSided(pair) ? found.shift() : oneSided(pair, what))
  const shown = text ? take(text, 'file') : { hunks: [], truncated: isUnread }
  return {
    path: change.path,
    op: change.op,
    is_binary,
    hunks: shown?.hunks ?? [],
    props: props.map(({ name, op, pair }) => ({ name, op, lines: propLines(take(pair, 'property')?.hunks ?? []) })),
    truncated: shown?.truncated ?? true,
  }
}

function propLines(hunks: readonly Hunk[]): string[] {
  return hunks.flatMap(({ lines }) =>
    lines.map((line) => line.replace(/^(\\ No newline at end of) file$/, '$1 property')),
  )
}

/** As Subversion writes it, with its remark where the last line has no end. */
function oneSided({ old, fresh }: Pair, what: string): Difference {
  const bytes = fresh.length > 0 ? fresh : old
  if (bytes.length === 0) return { hunks: [], truncated: false }
  const lines = linesOf(bytes, false)
  const isOpen = !/^$|\r$/.test(lines.at(-1) ?? '')
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  const written = whole.map((line) => `${fresh.length > 0 ? '+' : '-'}${line}`)
  const shown = isOpen ? [...written, `\\ No newline at end of ${what}`] : written
  const hunk =
    fresh.length > 0
      ? { old_start: 0, old_lines: 0, new_start: 1, new_lines: whole.length, lines: shown }
      : { old_start: 1, old_lines: whole.length, new_start: 0, new_lines: 0, lines: shown }
  return { hunks: [hunk], truncated: false }
}

/** From where there would be too many bytes, files have no lines; one of which a part fits is cut. */
function cut(files: readonly DiffedFile[]): DiffedFile[] {
  let left = LARGEST_DIFF
  const fits = (line: string) => {
    left -= Buffer.byteLength(line) + 1
    return left >= 0
  }
  return files.map((file) => {
    const hunks = file.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter(fits) }))
    const isWhole = hunks.every(({ lines }, at) => lines.length === file.hunks[at]?.lines.length)
    return isWhole ? file : { ...file, hunks: hunks.filter(({ lines }) => lines.length > 0), truncated: true }
  })
}
