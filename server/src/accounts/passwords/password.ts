import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../../platform/operation/semaphore.ts'

// argon2id (library default) with OWASP's cost. Hashing is slow on purpose; a small concurrency limit queues sign-ins
// and leaves the CPU to other requests.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const HASH_CONCURRENCY = 2

/** Per process: hashing uses the machine's cores and memory, whichever server asks for it. */
const withHashSlot = createSemaphore(HASH_CONCURRENCY)

export function hashPassword(password: string): Promise<string> {
  return withHashSlot(() => hash(password, COST))
}

/** Hashes a dummy if there is no account or no password, so that the timing is the same as for a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const known = stored ?? (await dummyHash())
  const matches = await withHashSlot(() => verify(known, password))
  return matches && typeof stored === 'string'
}

/** Per process: the hash of a constant, computed at first use. */
let dummyHashPromise: Promise<string> | undefined
function dummyHash(): Promise<string> {
  dummyHashPromise ??= hashPassword('the password of an unknown account')
  return dummyHashPromise
}
