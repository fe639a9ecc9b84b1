/** The number of bytes inspected. */
export const SNIFF_BYTES = 4096

const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Detects the few types that a browser may show inline. Ambiguous content, which may be a polyglot file, has an unknown
 * type.
 */
export function sniffType(firstBytes: Buffer): string {
  const start = firstBytes.subarray(0, SNIFF_BYTES)
  const letters = start.toString('latin1')
  if (isActive(letters)) return UNKNOWN_TYPE
  const type = pictureType(start, letters)
  if (type) return type
  if (/^%PDF-[12]\.\d[\r\n\s%]/.test(letters)) return 'application/pdf'
  return isText(start, letters) ? 'text/plain' : UNKNOWN_TYPE
}

/** Active content at any offset; browsers that sniff look at the start only. */
function isActive(letters: string): boolean {
  return (
    /<(?:!doctype|html|head|body|script|svg|style|iframe|object|embed|link|meta|base|img|frame|form|math|xsl:|\?php|\?xml-stylesheet)\b/i.test(
      letters,
    ) || letters.indexOf('%PDF-') > 0
  )
}

function pictureType(start: Buffer, letters: string): string | undefined {
  if (letters.startsWith('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return 'image/png'
  if (isJpeg(start)) return 'image/jpeg'
  if (/^GIF8[79]a/.test(letters) && isGif(start)) return 'image/gif'
  if (/^RIFF[^]{4}WEBPVP8[ LX]/.test(letters)) return 'image/webp'
  return undefined
}

/** The first segment is a valid start of a JPEG, and another marker follows it within the inspected bytes. */
function isJpeg(start: Buffer): boolean {
  if (start.length < 6 || start.readUInt16BE(0) !== 0xffd8 || start[2] !== 0xff) return false
  const [marker = 0, next] = [start[3], start[4 + start.readUInt16BE(4)]]
  const begins = (marker >= 0xe0 && marker <= 0xef) || [0xdb, 0xc0, 0xc2, 0xc4, 0xfe].includes(marker)
  return begins && (next === undefined || next === 0xff)
}

/** The dimensions are not zero, and a valid block follows the header and colour table. */
function isGif(start: Buffer): boolean {
  if (start.length < 13 || start.readUInt16LE(6) === 0 || start.readUInt16LE(8) === 0) return false
  const [flags = 0] = [start[10]]
  const colours = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
  const next = start[13 + colours]
  return next === undefined || next === 0x21 || next === 0x2c
}

const CONTROL = /(?![\t\n\f\r])\p{Cc}/u

/** UTF-8 without control characters, which no browser sniffs as another type. */
function isText(start: Buffer, letters: string): boolean {
  const begin = letters.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^(?:<|#!|%!PS|%PDF)/.test(begin)) return false
  try {
    // The last character may be cut off.
    const stream = start.length === SNIFF_BYTES
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(start, { stream }))
  } catch {
    return false
  }
}
