import type { Operation } from './read-log.ts'

export interface Hunk {
  readonly old_start: number
  readonly old_lines: number
  readonly new_start: number
  readonly new_lines: number
  readonly lines: string[]
}

export interface DiffedProp {
  readonly name: string
  readonly op: Operation
  readonly lines: string[]
}

interface ParsedFile {
  readonly path: string
  is_binary: boolean
  readonly hunks: Hunk[]
  readonly props: DiffedProp[]
  truncated: boolean
}

/** Whatever a file holds, each of its lines has one of these before it: none can be taken for a heading. */
const CONTENT = /^[ +\\-]/
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const PROP = /^(Added|Modified|Deleted): (.*)$/s
const PROP_OPERATIONS: Readonly<Record<string, Operation>> = { Added: 'added', Deleted: 'deleted' }

/** Reads what `svn diff` prints. A line ends as Subversion sees it: with LF, CR or both, of which CR is kept. */
export function parseDiff(bytes: Buffer, isCut: boolean): ParsedFile[] {
  const files: ParsedFile[] = []
  let lines: string[] | undefined
  let isInProps = false
  for (const line of linesOf(bytes, isCut)) {
    const file = files.at(-1)
    const isContent = lines !== undefined && CONTENT.test(line)
    if (isContent) {
      lines?.push(line)
      if (file && !isInProps && line.includes('\0')) file.is_binary = true
    } else if (line.startsWith('Index: ')) {
      files.push({ path: line.slice('Index: '.length), is_binary: false, hunks: [], props: [], truncated: false })
      lines = undefined
      isInProps = false
    } else if (line.startsWith('Property changes on: ')) {
      lines = undefined
      isInProps = true
    } else if (file && isInProps) {
      const prop = propIn(line)
      if (prop) file.props.push(prop)
      lines = prop?.lines ?? lines
    } else if (file) {
      const hunk = hunkIn(line)
      if (hunk) file.hunks.push(hunk)
      lines = hunk?.lines ?? lines
      if (line.startsWith('Cannot display: ')) file.is_binary = true
    }
  }
  const last = files.at(-1)
  if (isCut && last) last.truncated = true
  return files
}

/** A last line that is cut is left out. */
export function linesOf(bytes: Buffer, isCut: boolean): string[] {
  const lines = bytes.toString().split(/(?<=\r)(?!\n)|\n/)
  return isCut ? lines.slice(0, -1) : lines
}

function hunkIn(line: string): Hunk | undefined {
  const [whole, old = '', oldLines = '1', fresh = '', freshLines = '1'] = HUNK.exec(line) ?? []
  if (whole === undefined) return undefined
  return {
    old_start: Number(old),
    old_lines: Number(oldLines),
    new_start: Number(fresh),
    new_lines: Number(freshLines),
    lines: [],
  }
}

function propIn(line: string): DiffedProp | undefined {
  const [, how = '', name] = PROP.exec(line) ?? []
  return name === undefined ? undefined : { name, op: PROP_OPERATIONS[how] ?? 'modified', lines: [] }
}
