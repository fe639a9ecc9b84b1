import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Keys that sign what leaves the house and comes back: the first signs, all verify, so that they can be renewed. */
export interface Secrets {
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, signature: string): boolean
  /** A hash that only this installation can make, for what is kept shortly: it changes with the first key. */
  pepper(purpose: string, text: string): Buffer
  /** For what has to be read again, and must not be read from a stolen database: the first key locks, all open. */
  lock(purpose: string, text: string): Buffer
  unlock(purpose: string, locked: Buffer): string
}

export function createSecrets(keys: readonly string[]): Secrets {
  const [first] = keys
  if (first === undefined) throw new Error('WAYPOST_SECRET_KEYS needs at least one key.')
  return {
    sign: (purpose, text) => seal(first, purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      // As it is written: decoding would pass over characters that do not belong in it.
      const given = Buffer.from(signature)
      return keys.some((key) => {
        const right = Buffer.from(seal(key, purpose, text).toString('base64url'))
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
    pepper: (purpose, text) => createHmac('sha256', first).update(`${purpose}\0${text}`).digest(),
    lock: (purpose, text) => lockWith(first, purpose, text),
    unlock(purpose, locked) {
      for (const key of keys) {
        const text = unlockWith(key, purpose, locked)
        if (text !== undefined) return text
      }
      throw new Error('None of the keys in WAYPOST_SECRET_KEYS opens what is stored here.')
    },
  }
}

/** For secrets that are random already: nobody can guess them from a list of hashes. */
export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function seal(key: string, purpose: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest().subarray(0, 16)
}

const NONCE = 12
const TAG = 16
const CIPHER = 'aes-256-gcm'

function lockWith(key: string, purpose: string, text: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, keyFor(key, purpose), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Undefined: it was locked with another key, or for another purpose. */
function unlockWith(key: string, purpose: string, locked: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, keyFor(key, purpose), locked.subarray(0, NONCE))
  decipher.setAuthTag(locked.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(locked.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function keyFor(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32))
}
