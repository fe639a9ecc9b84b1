import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Keys with rotation: the first key signs and encrypts, all keys verify and decrypt. */
export interface Secrets {
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, signature: string): boolean
  /** A keyed hash for short-lived data: it changes with the first key. */
  keyedHash(purpose: string, text: string): Buffer
  /** Protects data that must be readable again, but not from a stolen database. */
  encrypt(purpose: string, text: string): Buffer
  decrypt(purpose: string, encrypted: Buffer): string
  /** Encrypted with the first key; undefined if it is already. `waypost secrets rotate` must know every purpose. */
  reencrypt(purpose: string, encrypted: Buffer): Buffer | undefined
}

export function createSecrets(keys: readonly string[]): Secrets {
  const [first] = keys
  if (first === undefined) throw new Error('WAYPOST_SECRET_KEYS needs at least one key.')
  const decrypt = (purpose: string, encrypted: Buffer): string => {
    for (const key of keys) {
      const text = decryptWith(key, purpose, encrypted)
      if (text !== undefined) return text
    }
    throw new Error('None of the keys in WAYPOST_SECRET_KEYS opens what is stored here.')
  }
  return {
    sign: (purpose, text) => computeMac(first, purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      // Compares the text, because base64url decoding ignores invalid characters.
      const given = Buffer.from(signature)
      return keys.some((key) => {
        const right = Buffer.from(computeMac(key, purpose, text).toString('base64url'))
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
    keyedHash: (purpose, text) => createHmac('sha256', first).update(`${purpose}\0${text}`).digest(),
    encrypt: (purpose, text) => encryptWith(first, purpose, text),
    decrypt,
    reencrypt: (purpose, encrypted) =>
      decryptWith(first, purpose, encrypted) === undefined
        ? encryptWith(first, purpose, decrypt(purpose, encrypted))
        : undefined,
  }
}

/** For random secrets, which cannot be guessed from their hashes. */
export function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer')
}

function computeMac(key: string, purpose: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}\0${text}`).digest().subarray(0, 16)
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

function encryptWith(key: string, purpose: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyFor(key, purpose), nonce)
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

/** Undefined: encrypted with another key or for another purpose. */
function decryptWith(key: string, purpose: string, encrypted: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, keyFor(key, purpose), encrypted.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    )
  } catch {
    return undefined
  }
}

function keyFor(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 32))
}
