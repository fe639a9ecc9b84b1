export const TEXT_FORMATS = ['bold', 'italic', 'code', 'link', 'list', 'tasks', 'quote'] as const
export type TextFormatting = (typeof TEXT_FORMATS)[number]

/** A replacement of a part of a text, and the selection after it. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly select: readonly [number, number]
}

const MARKS = { bold: '**', italic: '_', code: '`' } as const
const PREFIXES = { list: '- ', tasks: '- [ ] ', quote: '> ' } as const
const URL_PLACEHOLDER = 'https://'

/** Formats the selection as Markdown; where it is formatted so already, removes that. */
export function formatText(source: string, from: number, to: number, formatting: TextFormatting): TextEdit {
  switch (formatting) {
    case 'bold':
    case 'italic':
    case 'code':
      return mark(source, from, to, MARKS[formatting])
    case 'link':
      return link(source, from, to)
    case 'list':
    case 'tasks':
    case 'quote':
      return prefix(source, from, to, PREFIXES[formatting])
    default:
      return formatting satisfies never
  }
}

function mark(source: string, from: number, to: number, sign: string): TextEdit {
  const { length } = sign
  const chosen = source.slice(from, to)
  if (source.slice(from - length, from) === sign && source.slice(to, to + length) === sign)
    return { from: from - length, to: to + length, insert: chosen, select: [from - length, to - length] }
  return { from, to, insert: `${sign}${chosen}${sign}`, select: [from + length, to + length] }
}

/** Selects what is still to be typed: the address. */
function link(source: string, from: number, to: number): TextEdit {
  const chosen = source.slice(from, to)
  const begin = from + chosen.length + '[]('.length
  return {
    from,
    to,
    insert: `[${chosen}](${URL_PLACEHOLDER})`,
    select: chosen === '' ? [from + 1, from + 1] : [begin, begin + URL_PLACEHOLDER.length],
  }
}

/** Whole lines. */
function prefix(source: string, from: number, to: number, sign: string): TextEdit {
  const begin = source.lastIndexOf('\n', from - 1) + 1
  const next = source.indexOf('\n', to)
  const end = next < 0 ? source.length : next
  const lines = source.slice(begin, end).split('\n')
  const isSet = lines.every((line) => line.startsWith(sign))
  const insert = lines.map((line) => (isSet ? line.slice(sign.length) : `${sign}${line}`)).join('\n')
  return { from: begin, to: end, insert, select: [begin + insert.length, begin + insert.length] }
}
