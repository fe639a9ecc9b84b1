interface Kept {
  readonly etag: string
  readonly status: number
  readonly text: string
}

/** Answers that carry an Etag, to be asked for again with `If-None-Match`. The longest unused go first. */
export class AnswerCache {
  readonly #kept = new Map<string, Kept>()
  readonly #capacity: number

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  get(url: string): Kept | undefined {
    const kept = this.#kept.get(url)
    if (kept) this.#keep(url, kept)
    return kept
  }

  set(url: string, kept: Kept): void {
    this.#keep(url, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#capacity) break
      this.#kept.delete(oldest)
    }
  }

  /** When somebody else signs in. */
  clear(): void {
    this.#kept.clear()
  }

  #keep(url: string, kept: Kept): void {
    this.#kept.delete(url)
    this.#kept.set(url, kept)
  }
}
