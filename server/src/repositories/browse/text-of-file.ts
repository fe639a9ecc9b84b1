import type { Props } from './engine/read-nodes.ts'

export const LARGEST_FILE = 20_000_000
export const LARGEST_TEXT = 2 ** 20

/** As Subversion has it: what is said to be no text is none. What nobody says anything about is looked at. */
export function isBinary(props: Props, bytes: Buffer): boolean {
  const type = props['svn:mime-type']?.trim().toLowerCase()
  const isSaid = type !== undefined && !type.startsWith('text/') && !/^image\/x-x(?:bitmap|pixmap)/.test(type)
  return isSaid || bytes.includes(0)
}

/** UTF-8 without half a character at the end; undefined: it is something else. */
export function utf8Of(bytes: Buffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}

/** How lines end, if all end in the same way. */
export function lineEndsIn(text: string): 'LF' | 'CRLF' | 'CR' | 'mixed' | null {
  const kinds = new Set(text.match(/\r\n|\n|\r/g))
  const [only] = kinds
  if (only === undefined) return null
  if (kinds.size > 1) return 'mixed'
  return only === '\n' ? 'LF' : only === '\r' ? 'CR' : 'CRLF'
}
