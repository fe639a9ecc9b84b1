import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// What no file of server or pages may do, whatever it is for. Tests of what the rules find stand below them.

interface Rule {
  readonly pattern: RegExp
  /** Files that may, and why. */
  readonly allowed: Readonly<Record<string, string>>
}

const CODE: Rule = {
  pattern:
    /\beval\(|\bnew Function\(|['"](?:node:)?vm['"]|\binnerHTML\b|dangerouslySetInnerHTML|\bouterHTML\b|insertAdjacentHTML|document\.write\(/,
  allowed: {},
}
const WEAK: Rule = {
  pattern:
    /create(?:Hash|Hmac)\(\s*['"](?:md5|sha1|md4|ripemd)|createCipher\(|aes-\d+-(?:ecb|cbc)|from '(?:crypto-js|bcryptjs?|md5)'/i,
  allowed: {
    'server/src/files/store/write-hashed.ts': 'what stores ask for to check a transfer; files are known by SHA-256',
  },
}
const STORAGE: Rule = {
  pattern: /\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b/,
  allowed: {
    'web/src/shell/appearance.ts': 'theme and density',
    'web/src/artifacts/kept-drafts.ts': 'what somebody is writing, until it is sent or he signs out',
  },
}
const CHANCE: Rule = {
  pattern: /Math\.random\(/,
  allowed: {
    'server/src/files/store/s3-store.ts': 'when to try again',
    'server/src/feed/webhooks/record-outcome.ts': 'when to try again',
  },
}

const sources = globSync(['server/src/**/*.ts', 'web/src/**/*.{ts,tsx}']).filter((file) => !/\.test\.tsx?$/.test(file))

test('nothing evaluates text as code, or writes it into a page as HTML', () => {
  expect(breaking(CODE)).toEqual([])
})

test('hashes and ciphers are strong, and come from the platform', () => {
  expect(breaking(WEAK)).toEqual([])
})

test('what a browser keeps is how pages look and what somebody is writing, and nothing else', () => {
  expect(breaking(STORAGE)).toEqual([])
})

test('chance that guards nothing is named, and no other is Math.random', () => {
  expect(breaking(CHANCE)).toEqual([])
})

test.each([
  [CODE, "const run = eval('1')"],
  [CODE, 'element.innerHTML = text'],
  [WEAK, "createHash('md5').update(password)"],
  [WEAK, "createCipheriv('aes-256-cbc', key, nonce)"],
  [STORAGE, "sessionStorage.setItem('key', key)"],
  [CHANCE, 'const secret = Math.random()'],
])('%j finds %s', ({ pattern }, line) => {
  expect(line).toMatch(pattern)
})

test('every exception is still needed', () => {
  const idle = [CODE, WEAK, STORAGE, CHANCE].flatMap(({ pattern, allowed }) =>
    Object.keys(allowed).filter((file) => !pattern.test(readFileSync(file, 'utf8'))),
  )
  expect(idle).toEqual([])
})

function breaking({ pattern, allowed }: Rule): string[] {
  return sources.filter((file) => !(file in allowed) && pattern.test(readFileSync(file, 'utf8')))
}
