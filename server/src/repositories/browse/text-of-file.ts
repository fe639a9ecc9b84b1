import type { SvnProps } from './engine/read-nodes.ts'

export const MAX_FILE_BYTES = 20_000_000
export const MAX_TEXT_BYTES = 2 ** 20

/** Like Subversion: a non-text `svn:mime-type` means binary; without the property, the bytes decide. */
export function isBinary(props: SvnProps, bytes: Buffer): boolean {
  const type = props['svn:mime-type']?.trim().toLowerCase()
  const isSaid = type !== undefined && !type.startsWith('text/') && !/^image\/x-x(?:bitmap|pixmap)/.test(type)
  return isSaid || bytes.includes(0)
}

/** Decodes UTF-8, dropping an incomplete last character if cut; undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Buffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}

/** The line ending of the text; `mixed` if it has several kinds. */
export function detectLineEnds(text: string): 'LF' | 'CRLF' | 'CR' | 'mixed' | null {
  const kinds = new Set(text.match(/\r\n|\n|\r/g))
  const [only] = kinds
  if (only === undefined) return null
  if (kinds.size > 1) return 'mixed'
  return only === '\n' ? 'LF' : only === '\r' ? 'CR' : 'CRLF'
}
