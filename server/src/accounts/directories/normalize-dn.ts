const ESCAPED_BYTE = /^[0-9a-fA-F]{2}$/
/** A name, or an object identifier. */
const ATTRIBUTE_TYPE = /^[a-z0-9][a-z0-9.-]*$/
const SPECIAL = /[,+=<>#;"\\]/g

/**
 * A distinguished name in one spelling, to compare names: lower case, without blanks around separators, with one form of
 * escaping (RFC 4514). Undefined: it is malformed.
 */
export function normalizeDn(dn: string): string | undefined {
  const parts: string[] = []
  for (const rdn of split(dn, ',')) {
    const pairs: string[] = []
    for (const pair of split(rdn, '+')) {
      const at = pair.indexOf('=')
      const type = pair.slice(0, Math.max(at, 0)).trim().toLowerCase()
      const value = at < 0 ? undefined : unescape(pair.slice(at + 1))
      if (!ATTRIBUTE_TYPE.test(type) || value === undefined) return undefined
      pairs.push(`${type}=${value.toLowerCase().replaceAll(SPECIAL, (character) => `\\${character}`)}`)
    }
    parts.push(pairs.toSorted().join('+'))
  }
  return parts.join(',')
}

/** Splits at separators that are not escaped. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === separator) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** The value without escapes and outer blanks; undefined: an escape is malformed. */
function unescape(given: string): string | undefined {
  const bytes: Buffer[] = []
  const text = trimUnescaped(given)
  for (let index = 0; index < text.length; ) {
    if (text[index] !== '\\') {
      const end = text.indexOf('\\', index)
      const plain = text.slice(index, end < 0 ? undefined : end)
      bytes.push(Buffer.from(plain))
      index += plain.length
      continue
    }
    const code = text.slice(index + 1, index + 3)
    const isByte = ESCAPED_BYTE.test(code)
    if (!isByte && code === '') return undefined
    bytes.push(isByte ? Buffer.from(code, 'hex') : Buffer.from(code.slice(0, 1)))
    index += isByte ? 3 : 2
  }
  return Buffer.concat(bytes).toString('utf8')
}

function trimUnescaped(text: string): string {
  const start = text.trimStart()
  const end = start.trimEnd()
  // An escaped blank at the end belongs to the value.
  return end.endsWith('\\') && end.length < start.length ? `${end} ` : end
}
