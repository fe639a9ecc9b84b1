interface CachedAnswer {
  readonly etag: string
  readonly status: number
  readonly text: string
}

/** An LRU cache of responses with an ETag, revalidated by `If-None-Match`. */
export class EtagCache {
  readonly #kept = new Map<string, CachedAnswer>()
  readonly #capacity: number

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  get(url: string): CachedAnswer | undefined {
    const kept = this.#kept.get(url)
    if (kept) this.#keep(url, kept)
    return kept
  }

  set(url: string, kept: CachedAnswer): void {
    this.#keep(url, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#capacity) break
      this.#kept.delete(oldest)
    }
  }

  /** For a change of the account. */
  clear(): void {
    this.#kept.clear()
  }

  #keep(url: string, kept: CachedAnswer): void {
    this.#kept.delete(url)
    this.#kept.set(url, kept)
  }
}
