import { format } from 'sql-formatter'

/** One page of `docs/sql`: a header of comments, then the statements in the order of their execution. */
export function renderSql({ runs, note }: { runs: string; note: string }, statements: readonly string[]): string {
  const header = [runs, note, 'Written by `npm run sql`.'].map((line) => `-- ${line}\n`).join('')
  return [header, ...mergeRepeated(statements.map(formatStatement))].join('\n')
}

function formatStatement(text: string): string {
  // A comment to the end of its line would swallow the lines that are joined to it.
  const joinable = text.replaceAll(/--\s*(.*)$/gm, '/* $1 */')
  const lines = format(joinable, { language: 'postgresql', keywordCase: 'lower', expressionWidth: MAX_WIDTH }).split(
    '\n',
  )
  return `${joinShortLines(parseLines(lines), 0).join('\n')};\n`
}

const MAX_WIDTH = 110

/** A line with the lines that are indented below it. */
interface Block {
  readonly text: string
  readonly below: readonly Block[]
}

function parseLines(lines: readonly string[]): Block[] {
  const blocks: { text: string; below: string[] }[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last && line.startsWith('  ')) last.below.push(line.slice(2))
    else blocks.push({ text: line, below: [] })
  }
  return blocks.map(({ text, below }) => ({ text, below: parseLines(below) }))
}

/** The formatter gives each clause and each column its own line; here short ones share a line. */
function joinShortLines(blocks: readonly Block[], indent: number): string[] {
  const lines: string[] = []
  for (const group of groupBrackets(blocks)) {
    const flat = flatten(group)
    const last = lines.at(-1)
    if (last?.endsWith(',') && last.length + 1 + flat.length <= MAX_WIDTH) lines[lines.length - 1] = `${last} ${flat}`
    else if (indent + flat.length <= MAX_WIDTH) lines.push(`${' '.repeat(indent)}${flat}`)
    else
      for (const { text, below } of group)
        lines.push(`${' '.repeat(indent)}${text}`, ...joinShortLines(below, indent + 2))
  }
  return lines
}

/** An opening line with its closing line: a bracket, or `case` and `end`. */
function groupBrackets(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (last && /^(?:[)\]]|end\b)/.test(block.text)) last.push(block)
    else groups.push([block])
  }
  return groups
}

function flatten(blocks: readonly Block[]): string {
  return blocks
    .flatMap(({ text, below }) => [text, ...groupBrackets(below).map(flatten)])
    .join(' ')
    .replaceAll(/(?<=[([]) | (?=[)\]])/g, '')
}

function mergeRepeated(statements: readonly string[]): string[] {
  const merged: { text: string; count: number }[] = []
  for (const text of statements) {
    const last = merged.at(-1)
    if (last?.text === text) last.count++
    else merged.push({ text, count: 1 })
  }
  return merged.map(({ text, count }) => (count === 1 ? text : `-- ${count} times:\n${text}`))
}
