import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Keys that sign what leaves the house and comes back: the first signs, all verify, so that they can be renewed. */
export interface Secrets {
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, signature: string): boolean
  /** A hash that only this installation can make, for what is kept shortly: it changes with the first key. */
  pepper(purpose: string, text: string): Buffer
}

export function createSecrets(keys: readonly string[]): Secrets {
  const [first] = keys
  if (first === undefined) throw new Error('WAYPOST_SECRET_KEYS needs at least one key.')
  return {
    sign: (purpose, text) => seal(first, purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const given = Buffer.from(signature, 'base64url')
      return keys.some((key) => {
        const right = seal(key, purpose, text)
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
    pepper: (purpose, text) => createHmac('sha256', first).update(`${purpose}\0${text}`).digest(),
  }
}

/** For secrets that are random already: nobody can guess them from a list of hashes. */
export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function seal(key: string, purpose: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest().subarray(0, 16)
}
