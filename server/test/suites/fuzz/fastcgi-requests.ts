import type { RepeatableRandom } from './random.ts'

/** One record: header, content, and padding if any. */
export function fastcgiRecord(type: number, id: number, content: Buffer, padding = 0): Buffer {
  const header = Buffer.from([1, type, id >> 8, id & 255, content.length >> 8, content.length & 255, padding, 0])
  return Buffer.concat([header, content, Buffer.alloc(padding)])
}

export function parametersRecord(parameters: Record<string, string>, id = 1): Buffer {
  const length = (bytes: Buffer) => {
    if (bytes.length < 128) return Buffer.from([bytes.length])
    const four = Buffer.alloc(4)
    four.writeUInt32BE(bytes.length + 0x80_00_00_00)
    return four
  }
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    const [first, second] = [Buffer.from(name), Buffer.from(value)]
    return [length(first), length(second), first, second]
  })
  return fastcgiRecord(4, id, Buffer.concat(pairs))
}

/** A request as Apache sends it. */
export function wholeRequest(parameters: Record<string, string>, id = 1): Buffer {
  const begin = fastcgiRecord(1, id, Buffer.from([0, 2, 0, 0, 0, 0, 0, 0]))
  return Buffer.concat([begin, parametersRecord(parameters, id), fastcgiRecord(4, id, Buffer.alloc(0))])
}

/** Bytes near a sound request, cut into chunks: a third is sound, a third damaged, a third noise in the form of records. */
export function generateInput(random: RepeatableRandom): { readonly isSound: boolean; readonly chunks: Buffer[] } {
  const kind = random.integer(0, 2)
  const sound = () =>
    wholeRequest(
      Object.fromEntries(
        Array.from({ length: random.integer(0, 8) }, (_, at) => [`NAME_${at}`, random.letters(random.integer(0, 200))]),
      ),
      random.integer(1, 65_535),
    )
  const bytes = kind === 0 ? sound() : kind === 1 ? damage(sound(), random) : noise(random)
  return { isSound: kind === 0, chunks: cut(bytes, random) }
}

function damage(bytes: Buffer, random: RepeatableRandom): Buffer {
  const hostile = () => random.pick([0, 1, 127, 128, 255, random.integer(0, 255)])
  for (let left = random.integer(1, 6); left > 0; left--) {
    // Half of the damage is to headers and lengths: most content is free.
    const position = random.integer(0, random.chance(0.5) ? Math.min(40, bytes.length - 1) : bytes.length - 1)
    bytes[position] = hostile()
  }
  if (random.chance(0.3)) return bytes.subarray(0, random.integer(0, bytes.length))
  if (random.chance(0.2)) return Buffer.concat([bytes, bytes.subarray(random.integer(0, bytes.length))])
  return bytes
}

function noise(random: RepeatableRandom): Buffer {
  const begin = random.chance(0.8) ? [fastcgiRecord(1, 1, Buffer.from([0, 2, 0, 0, 0, 0, 0, 0]))] : []
  const records = Array.from({ length: random.integer(0, 5) }, () => {
    const content = Buffer.from(Array.from({ length: random.integer(0, 60) }, () => random.integer(0, 255)))
    return fastcgiRecord(random.chance(0.7) ? 4 : random.integer(0, 12), 1, content, random.integer(0, 9))
  })
  return Buffer.concat([...begin, ...records, ...(random.chance(0.8) ? [fastcgiRecord(4, 1, Buffer.alloc(0))] : [])])
}

function cut(bytes: Buffer, random: RepeatableRandom): Buffer[] {
  const chunks: Buffer[] = []
  const longest = random.pick([1, 7, 64, 100_000])
  for (let position = 0; position < bytes.length; ) {
    const next = position + random.integer(1, longest)
    chunks.push(bytes.subarray(position, next))
    position = next
    if (chunks.length === 200) return [...chunks, bytes.subarray(position)]
  }
  return chunks
}
