const GUID_BYTES = 16
const TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The first three groups of an `objectGUID` are stored with the last byte first. Undefined: it is none. */
export function formatGuid(bytes: Buffer): string | undefined {
  if (bytes.length !== GUID_BYTES) return undefined
  const hex = swap(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The bytes of a text that `formatGuid` made, or that tools of Active Directory show. */
export function parseGuid(text: string): Buffer | undefined {
  const lower = text.toLowerCase()
  return TEXT.test(lower) ? swap(Buffer.from(lower.replaceAll('-', ''), 'hex')) : undefined
}

function swap(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)]
  return Buffer.concat([...parts.map((part) => Buffer.from(part.toReversed())), bytes.subarray(8)])
}
