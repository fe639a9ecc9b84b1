import { AsyncLocalStorage } from 'node:async_hooks'

/** The client for whom connections are acquired (`fair-queue.ts`). */
interface ConnectionOwner {
  key: string
  /** Connections that this request holds now. */
  held: number
}

const storage = new AsyncLocalStorage<ConnectionOwner | undefined>()

/** Runs `work`, and everything that it starts, for a client. */
export function onBehalfOf<T>(key: string, work: () => T): T {
  return storage.run({ key, held: 0 }, work)
}

/** Replaces the address of the client by its account, once it is known. */
export function nameOwner(key: string): void {
  const owner = storage.getStore()
  if (owner) owner.key = key
}

/** Runs internal work, or work for several clients, without an owner. */
export function withoutOwner<T>(work: () => T): T {
  return storage.run(undefined, work)
}

export function currentOwner(): ConnectionOwner | undefined {
  return storage.getStore()
}
