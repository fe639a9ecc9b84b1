import { isBinary, MAX_FILE_BYTES } from '../text-of-file.ts'
import { type TextDifference, diffWithSvn, type TextPair } from './diff-texts.ts'
import { type DiffedProp, type Hunk, splitDiffLines } from './parse-diff.ts'
import { type NodeChange, readNodeChanges, type RevisionRange } from './read-changes.ts'
import { compareCodeUnits, type SvnNode, type SvnProps, readNodes, readProps, readWholeFile } from './read-nodes.ts'
import type { SvnSession } from './session.ts'

export interface DiffedFile extends Pick<NodeChange, 'path' | 'op'> {
  readonly is_binary: boolean
  readonly hunks: Hunk[]
  readonly props: DiffedProp[]
  readonly truncated: boolean
}

interface DiffRange extends RevisionRange {
  readonly context: number
}

const MAX_DIFF_BYTES = 5 * 2 ** 20
const MAX_DIFF_FILES = 2000
/** Memory limit for all texts of a comparison; files beyond it are listed without lines. */
const MAX_READ_BYTES = 64 * 2 ** 20
const NOTHING = Buffer.alloc(0)

/** The differences below a path between two revisions, within all limits. */
export async function readDiff(
  session: SvnSession,
  { path, from, to, context }: DiffRange,
  nodes: { readonly old: SvnNode | undefined; readonly fresh: SvnNode | undefined },
): Promise<{ files: DiffedFile[]; truncated: boolean }> {
  const changes = await readNodeChanges(session, { path, from, to }, nodes, MAX_DIFF_FILES)
  const shown = changes.toSorted((one, other) => compareCodeUnits(one.path, other.path)).slice(0, MAX_DIFF_FILES)
  const [old, fresh] = [await readSide(session, shown, from), await readSide(session, shown, to)]
  const texts = shown.map((change, at) => toChangedTexts(change, old[at], fresh[at]))
  const differences = await diffWithSvn(texts.flatMap(twoSidedPairs), context, MAX_DIFF_BYTES)
  const files = truncateFiles(
    texts.map((text) => toDiffedFile(text, differences.splice(0, twoSidedPairs(text).length))),
  )
  return { files, truncated: changes.length > MAX_DIFF_FILES || files.some(({ truncated }) => truncated) }
}

/** Undefined: the node does not exist on this side. */
type Side = { readonly props: SvnProps; readonly text: Buffer; readonly isUnread: boolean } | undefined

async function readSide(session: SvnSession, changes: readonly NodeChange[], revision: number): Promise<Side[]> {
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
  let left = MAX_READ_BYTES / 2
  for (const [at, { path, size }] of there.entries()) {
    const isUnread = size !== null && (size > MAX_FILE_BYTES || size > left)
    const text = size === null || isUnread ? NOTHING : await readWholeFile(session, path, revision)
    left -= text.length
    sides.set(path, { props: props[at] ?? {}, text, isUnread })
  }
  return changes.map(({ path }) => sides.get(path))
}

/** The texts of a change to compare: the content, and each changed property. */
interface ChangedTexts {
  readonly change: NodeChange
  readonly is_binary: boolean
  readonly isUnread: boolean
  readonly text: TextPair | undefined
  readonly props: readonly { readonly name: string; readonly op: DiffedProp['op']; readonly pair: TextPair }[]
}

function toChangedTexts(change: NodeChange, old: Side, fresh: Side): ChangedTexts {
  const is_binary = [old, fresh].some((side) => side && isBinary(side.props, side.text))
  const isUnread = [old, fresh].some((side) => side?.isUnread)
  const isShown = change.kind === 'file' && !is_binary && !isUnread
  const text = isShown ? { old: old?.text ?? NOTHING, fresh: fresh?.text ?? NOTHING } : undefined
  const [before, after] = [old?.props ?? {}, fresh?.props ?? {}]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted(compareCodeUnits)
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

/** Only pairs with both sides need the diff tool. */
function twoSidedPairs({ text, props }: ChangedTexts): TextPair[] {
  return [...(text ? [text] : []), ...props.map(({ pair }) => pair)].filter(isTwoSided)
}

function isTwoSided({ old, fresh }: TextPair): boolean {
  return old.length > 0 && fresh.length > 0
}

function toDiffedFile(
  { change, is_binary, isUnread, text, props }: ChangedTexts,
  found: (TextDifference | undefined)[],
): DiffedFile {
  const take = (pair: TextPair, what: string) => (isTwoSided(pair) ? found.shift() : oneSided(pair, what))
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

/** Formats an added or deleted text like Subversion, including the missing-newline marker. */
function oneSided({ old, fresh }: TextPair, what: string): TextDifference {
  const bytes = fresh.length > 0 ? fresh : old
  if (bytes.length === 0) return { hunks: [], truncated: false }
  const lines = splitDiffLines(bytes, false)
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

/** Files beyond the byte limit lose their lines; the file at the limit is truncated. */
function truncateFiles(files: readonly DiffedFile[]): DiffedFile[] {
  let left = MAX_DIFF_BYTES
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
