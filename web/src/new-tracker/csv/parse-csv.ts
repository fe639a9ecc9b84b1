const SEPARATORS = [',', ';', '\t'] as const

export interface CsvTable {
  readonly headings: readonly string[]
  /** Each row has a cell for each heading. */
  readonly rows: readonly (readonly string[])[]
}

/** Reads CSV as spreadsheets write it; undefined if it has no rows. */
export function parseCsv(content: string): CsvTable | undefined {
  const clean = content.replace(/^\uFEFF/, '')
  const [headings = [], ...rows] = splitRecords(clean, separatorOf(clean)).filter((cells) =>
    cells.some((cell) => cell.trim() !== ''),
  )
  if (headings.length === 0 || rows.length === 0) return undefined
  return {
    headings: headings.map((heading) => heading.trim()),
    rows: rows.map((cells) => headings.map((_, at) => (cells[at] ?? '').trim())),
  }
}

/** The separator that the first line has most often, outside of quotes. */
function separatorOf(content: string): string {
  const [first = ''] = content.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  const counts = SEPARATORS.map((separator) => first.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

function splitRecords(content: string, separator: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    record.push(cell)
    cell = ''
  }
  const endRecord = () => {
    endCell()
    records.push(record)
    record = []
  }
  for (let at = 0; at < content.length; at++) {
    const letter = content.charAt(at)
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (content.charAt(at + 1) === '"') cell += content.charAt(++at)
      else isQuoted = false
    } else if (letter === '"' && cell === '') isQuoted = true
    else if (letter === separator) endCell()
    else if (letter === '\n') endRecord()
    else if (letter !== '\r') cell += letter
  }
  if (cell !== '' || record.length > 0) endRecord()
  return records
}

/** Text of a file: UTF-8, or what older spreadsheets write. */
export function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
