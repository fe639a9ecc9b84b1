import type { IdBitmapWord } from '../../artifacts/search/find-id-bitmap.ts'

const BITS_PER_WORD = 32
const WORDS_PER_CHUNK = 256

/** A sparse bitmap of ids, in chunks that are allocated on first use. */
export class IdSet {
  readonly #pieces = new Map<number, Uint32Array>()
  #size = 0

  constructor(words: Iterable<IdBitmapWord> = []) {
    for (const { word, bits } of words) {
      this.#pieceWith(word)[word % WORDS_PER_CHUNK] = bits
      this.#size += countBits(bits)
    }
  }

  get size(): number {
    return this.#size
  }

  has(id: number): boolean {
    const word = Math.floor(id / BITS_PER_WORD)
    const bits = this.#pieces.get(Math.floor(word / WORDS_PER_CHUNK))?.[word % WORDS_PER_CHUNK] ?? 0
    return ((bits >>> (id % BITS_PER_WORD)) & 1) === 1
  }

  add(id: number): void {
    if (this.has(id)) return
    const word = Math.floor(id / BITS_PER_WORD)
    const piece = this.#pieceWith(word)
    piece[word % WORDS_PER_CHUNK] = (piece[word % WORDS_PER_CHUNK] ?? 0) | (1 << (id % BITS_PER_WORD))
    this.#size++
  }

  delete(id: number): void {
    if (!this.has(id)) return
    const word = Math.floor(id / BITS_PER_WORD)
    const piece = this.#pieceWith(word)
    piece[word % WORDS_PER_CHUNK] = (piece[word % WORDS_PER_CHUNK] ?? 0) & ~(1 << (id % BITS_PER_WORD))
    this.#size--
  }

  #pieceWith(word: number): Uint32Array {
    const place = Math.floor(word / WORDS_PER_CHUNK)
    const piece = this.#pieces.get(place) ?? new Uint32Array(WORDS_PER_CHUNK)
    this.#pieces.set(place, piece)
    return piece
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}
