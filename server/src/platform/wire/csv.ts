import { Type } from 'typebox'

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const
const BYTE_ORDER_MARK = '\uFEFF'

/** Parameters of every route with CSV. */
export const csvParameters = {
  separator: Type.Optional(Type.Enum(['comma', 'semicolon', 'tab'], { description: 'Separator of CSV cells.' })),
  bom: Type.Optional(Type.Boolean({ description: 'CSV starts with a byte order mark, for spreadsheets.' })),
  raw: Type.Optional(Type.Boolean({ description: 'CSV texts are not escaped, even if they look like formulas.' })),
}

export interface CsvOptions {
  separator?: keyof typeof SEPARATORS
  bom?: boolean
  raw?: boolean
}

/** RFC 4180; the first row has the column names, each once. */
export function csvHead(columns: readonly string[], options: CsvOptions): string {
  return `${options.bom ? BYTE_ORDER_MARK : ''}${csvRow(uniqueColumnNames(columns), options)}`
}

/** Repeated names are numbered: `status`, `status_2`. A number is skipped if another column has that name. */
export function uniqueColumnNames(names: readonly string[]): readonly string[] {
  const given = new Set(names)
  const used = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let number = 2; used.has(unique) || (unique !== name && given.has(unique)); number++)
      unique = `${name}_${number}`
    used.add(unique)
    return unique
  })
}

export function csvRow(values: readonly unknown[], { separator = 'comma', raw = false }: CsvOptions): string {
  const between = SEPARATORS[separator]
  return `${values.map((value) => quoted(cell(value, raw))).join(between)}\r\n`
}

/** Numbers are not escaped: only texts can be taken for formulas. */
function cell(value: unknown, raw: boolean): string {
  const isBare = raw || typeof value === 'number'
  return isBare ? toPlainCell(value) : escapeFormulas(toPlainCell(value))
}

/** The text of a cell without guard and quotes. Several values are joined; named objects become their name. */
export function toPlainCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value.map((each) => toPlainCell(each).replaceAll(/[\\|]/g, String.raw`\$&`)).join('|')
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return ''
  if ('username' in value) return toPlainCell(value.username)
  if ('label' in value) return toPlainCell(value.label)
  return JSON.stringify(value)
}

/**
 * Prevents CSV injection: a spreadsheet runs a cell that starts like a formula. Cells that a reader with another
 * separator would find inside ours are guarded too. Existing guards get one more, so that removing one restores the
 * text.
 */
function escapeFormulas(text: string): string {
  return text.replaceAll(/^(?='*[=+\-@\t\r\n])|(?<=[,;\t\r\n])(?='*[=+\-@])/g, "'")
}

/** The inverse of the guard, for every separator. */
export function unescapeFormulas(text: string): string {
  return text.replaceAll(/^'(?='*[=+\-@\t\r\n])|(?<=[,;\t\r\n])'(?='*[=+\-@])/g, '')
}

/** The values of a cell with several, as `toPlainCell` joins them. */
export function splitCell(text: string): string[] {
  if (text === '') return []
  const values: string[] = []
  let value = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '|') {
      values.push(value)
      value = ''
    } else if (char === '\\' && /[\\|]/.test(text.charAt(at + 1))) value += text.charAt(++at)
    else value += char
  }
  return [...values, value]
}

/** Quoted for every separator, not only the current one. */
function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
