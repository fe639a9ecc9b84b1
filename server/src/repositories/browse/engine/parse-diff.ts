import type { ChangeOperation } from './read-log.ts'

export interface Hunk {
  readonly old_start: number
  readonly old_lines: number
  readonly new_start: number
  readonly new_lines: number
  readonly lines: string[]
}

export interface DiffedProp {
  readonly name: string
  readonly op: ChangeOperation
  readonly lines: string[]
}

interface ParsedFile {
  readonly path: string
  is_binary: boolean
  readonly hunks: Hunk[]
  readonly props: DiffedProp[]
  truncated: boolean
}

/** Every content line has one of these prefixes, so none can be mistaken for a header. */
const CONTENT = /^[ +\\-]/
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const PROP = /^(Added|Modified|Deleted): (.*)$/s
const PROP_OPERATIONS: Readonly<Record<string, ChangeOperation>> = { Added: 'added', Deleted: 'deleted' }

/** Parses the output of `svn diff`. Lines end with LF, CR or CRLF, as in Subversion; CR is kept. */
export function parseDiff(bytes: Buffer, isCut: boolean): ParsedFile[] {
  const files: ParsedFile[] = []
  let lines: string[] | undefined
  let isInProps = false
  for (const line of splitDiffLines(bytes, isCut)) {
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
      const prop = parseProp(line)
      if (prop) file.props.push(prop)
      lines = prop?.lines ?? lines
    } else if (file) {
      const hunk = parseHunk(line)
      if (hunk) file.hunks.push(hunk)
      lines = hunk?.lines ?? lines
      if (line.startsWith('Cannot display: ')) file.is_binary = true
    }
  }
  const last = files.at(-1)
  if (isCut && last) last.truncated = true
  return files
}

/** Drops an incomplete last line. */
export function splitDiffLines(bytes: Buffer, isCut: boolean): string[] {
  const lines = bytes.toString().split(/(?<=\r)(?!\n)|\n/)
  return isCut ? lines.slice(0, -1) : lines
}

function parseHunk(line: string): Hunk | undefined {
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

function parseProp(line: string): DiffedProp | undefined {
  const [, how = '', name] = PROP.exec(line) ?? []
  return name === undefined ? undefined : { name, op: PROP_OPERATIONS[how] ?? 'modified', lines: [] }
}
