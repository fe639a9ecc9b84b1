import { inflateRawSync } from 'node:zlib'

/** The files of a zip, read from its central directory. */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  const files = new Map<string, string>()
  for (let at = bytes.readUInt32LE(end + 16), left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed, named, extra, noted] = [10, 20, 28, 30, 32].map((offset) =>
      offset === 20 ? bytes.readUInt32LE(at + offset) : bytes.readUInt16LE(at + offset),
    )
    const start = bytes.readUInt32LE(at + 42)
    const body = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const content = bytes.subarray(body, body + (packed ?? 0))
    files.set(
      bytes.toString('utf8', at + 46, at + 46 + (named ?? 0)),
      (method === 8 ? inflateRawSync(content) : content).toString(),
    )
    at += 46 + (named ?? 0) + (extra ?? 0) + (noted ?? 0)
  }
  return files
}
