import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

interface Drawing {
  readonly size: number
  /** Two colours: one bit per pixel. */
  readonly colors: readonly [Color, Color]
  readonly colorAt: (x: number, y: number) => 0 | 1
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A square image of two colours as PNG. */
export function drawPng({ size, colors, colorAt }: Drawing): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, 3], 8) // one bit per pixel, palette
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.flat())),
    chunk('IDAT', deflateSync(linesOf(size, colorAt))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each line starts with its filter type: none. */
function linesOf(size: number, colorAt: Drawing['colorAt']): Buffer {
  const width = 1 + Math.ceil(size / 8)
  const lines = Buffer.alloc(width * size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = y * width + 1 + (x >> 3)
      lines[at] = (lines[at] ?? 0) | (colorAt(x, y) << (7 - (x & 7)))
    }
  return lines
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(content.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
