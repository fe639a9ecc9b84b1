import { hash, verify } from '@node-rs/argon2'

// argon2id is the library's default; the cost is OWASP's. A hash is slow on purpose, so only a few run at once: a crowd of sign-ins queues here
// and leaves the processors to everybody else.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 2

let free = AT_ONCE
const waiting: (() => void)[] = []

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

/** An account without a password, or none at all, takes as long as a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const known = stored ?? (await dummy())
  const matches = await inTurn(() => verify(known, password))
  return matches && typeof stored === 'string'
}

let made: Promise<string> | undefined
function dummy(): Promise<string> {
  made ??= hashPassword('the password of nobody')
  return made
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
  else free--
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}
