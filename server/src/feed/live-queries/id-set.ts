import type { IdWord } from '../../artifacts/search/find-every-id.ts'

const BITS = 32
const WORDS = 256

/** Very many ids in little memory: a bit for each, in pieces that are there only where something is in them. */
export class IdSet {
  readonly #pieces = new Map<number, Uint32Array>()
  #size = 0

  constructor(words: Iterable<IdWord> = []) {
    for (const { word, bits } of words) {
      this.#pieceWith(word)[word % WORDS] = bits
      this.#size += countBits(bits)
    }
  }

  get size(): number {
    return this.#size
  }

  has(id: number): boolean {
    const word = Math.floor(id / BITS)
    const bits = this.#pieces.get(Math.floor(word / WORDS))?.[word % WORDS] ?? 0
    return ((bits >>> (id % BITS)) & 1) === 1
  }

  add(id: number): void {
    if (this.has(id)) return
    const word = Math.floor(id / BITS)
    const piece = this.#pieceWith(word)
    piece[word % WORDS] = (piece[word % WORDS] ?? 0) | (1 << (id % BITS))
    this.#size++
  }

  delete(id: number): void {
    if (!this.has(id)) return
    const word = Math.floor(id / BITS)
    const piece = this.#pieceWith(word)
    piece[word % WORDS] = (piece[word % WORDS] ?? 0) & ~(1 << (id % BITS))
    this.#size--
  }

  #pieceWith(word: number): Uint32Array {
    const place = Math.floor(word / WORDS)
    const piece = this.#pieces.get(place) ?? new Uint32Array(WORDS)
    this.#pieces.set(place, piece)
    return piece
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}
