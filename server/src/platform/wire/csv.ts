import { Type } from 'typebox'

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const
const BYTE_ORDER_MARK = '\uFEFF'

/** Parameters of every address that answers in CSV. */
export const csvParameters = {
  separator: Type.Optional(Type.Enum(['comma', 'semicolon', 'tab'], { description: 'Between cells of CSV.' })),
  bom: Type.Optional(Type.Boolean({ description: 'CSV begins with a byte order mark, for spreadsheets.' })),
  raw: Type.Optional(Type.Boolean({ description: 'CSV has texts as they are, although they may look like formulas.' })),
}

export interface CsvOptions {
  separator?: keyof typeof SEPARATORS
  bom?: boolean
  raw?: boolean
}

/** RFC 4180, the first row has the names. */
export function csvHead(columns: readonly string[], options: CsvOptions): string {
  return `${options.bom ? BYTE_ORDER_MARK : ''}${csvRow(columns, options)}`
}

export function csvRow(values: readonly unknown[], { separator = 'comma', raw = false }: CsvOptions): string {
  const between = SEPARATORS[separator]
  return `${values.map((value) => quoted(cell(value, raw), between)).join(between)}\r\n`
}

/** Numbers are written bare: only texts could be taken for formulas. */
function cell(value: unknown, raw: boolean): string {
  const isBare = raw || typeof value === 'number'
  return isBare ? plain(value) : harmless(plain(value))
}

/** Several values are joined; what has a name is its name. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((each) => plain(each).replaceAll(/[\\|]/g, String.raw`\$&`)).join('|')
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return ''
  if ('username' in value) return plain(value.username)
  if ('label' in value) return plain(value.label)
  return JSON.stringify(value)
}

/** A spreadsheet takes a cell that begins so for a formula, and runs it. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function quoted(text: string, separator: string): string {
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}
