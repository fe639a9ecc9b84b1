/** Remembers so many things. One more, and it begins anew: whatever is forgotten can be asked for again. */
export class ShortMemory<Key, Value> extends Map<Key, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#most && !this.has(key)) this.clear()
    return super.set(key, value)
  }
}

/** One for each owner, a server mostly: what is true in one installation says nothing about another. */
export function memoryOf<Key, Value>(most: number): (owner: object) => ShortMemory<Key, Value> {
  const memories = new WeakMap<object, ShortMemory<Key, Value>>()
  return (owner) => {
    const memory = memories.get(owner) ?? new ShortMemory<Key, Value>(most)
    memories.set(owner, memory)
    return memory
  }
}
