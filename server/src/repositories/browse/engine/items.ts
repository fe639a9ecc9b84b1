/** A value of the svnserve protocol: words are strings, protocol strings are buffers. */
export type Item = number | string | Buffer | readonly Item[]

const [SPACE, NEWLINE, OPEN, CLOSE, COLON, ZERO, NINE] = [0x20, 0x0a, 0x28, 0x29, 0x3a, 0x30, 0x39]
const NOTHING: Buffer = Buffer.alloc(0)

export function writeItem(item: Item): Buffer {
  if (typeof item === 'number' || typeof item === 'string') return Buffer.from(`${item} `)
  if (Buffer.isBuffer(item)) return Buffer.concat([Buffer.from(`${item.length}:`), item, Buffer.from(' ')])
  return Buffer.concat([Buffer.from('( '), ...item.map(writeItem), Buffer.from(') ')])
}

/** Incremental parser: turns chunks of bytes into items. */
export class ItemReader {
  #rest: Buffer = NOTHING
  readonly #open: Item[][] = [];

  /** Returns the items that this chunk completes. */
  *feed(piece: Buffer): Generator<Item> {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let at = 0
    for (let token = readToken(bytes, at); token; token = readToken(bytes, at)) {
      at = token.end
      const whole = this.#take(token)
      if (whole !== undefined) yield whole
    }
    this.#rest = bytes.subarray(at)
  }

  #take({ item, bracket }: Token): Item | undefined {
    if (bracket === OPEN) {
      this.#open.push([])
      return undefined
    }
    const done = bracket === CLOSE ? this.#open.pop() : item
    const around = this.#open.at(-1)
    if (done === undefined || !around) return done
    around.push(done)
    return undefined
  }
}

interface Token {
  readonly end: number
  readonly item?: Item
  readonly bracket?: number
}

/** Undefined if the token is incomplete. */
function readToken(bytes: Buffer, from: number): Token | undefined {
  let begin = from
  while (isSpace(bytes[begin])) begin++
  const first = bytes[begin]
  if (first === undefined) return undefined
  if (first === OPEN || first === CLOSE) return { end: begin + 1, bracket: first }
  let end = begin
  while (end < bytes.length && !isSpace(bytes[end]) && bytes[end] !== COLON) end++
  const mark = bytes[end]
  if (mark === undefined) return undefined
  const text = bytes.toString('latin1', begin, end)
  const isNumber = first >= ZERO && first <= NINE
  if (mark !== COLON) return { end, item: isNumber ? Number(text) : text }
  const [start, stop] = [end + 1, end + 1 + Number(text)]
  return stop <= bytes.length ? { end: stop, item: bytes.subarray(start, stop) } : undefined
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE
}

export function itemList(item: Item | undefined): readonly Item[] {
  if (typeof item === 'object' && !Buffer.isBuffer(item)) return item
  throw new TypeError('svnserve said something else than a list.')
}

export function itemNumber(item: Item | undefined): number {
  if (typeof item === 'number') return item
  throw new TypeError('svnserve said something else than a number.')
}

export function itemBytes(item: Item | undefined): Buffer {
  if (Buffer.isBuffer(item)) return item
  throw new TypeError('svnserve said something else than a string.')
}

export function itemText(item: Item | undefined): string {
  return itemBytes(item).toString()
}

/** An optional value is wrapped in a list of its own. */
export function optionalItemText(item: Item | undefined): string | null {
  const [text] = itemList(item)
  return text === undefined ? null : itemText(text)
}
