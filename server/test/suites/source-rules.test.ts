import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Rules for all sources of the server and the web pages. Tests of the rules themselves follow.

interface Rule {
  readonly pattern: RegExp
  /** Exceptions with their reasons. */
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
  pattern: /\b(?:localStorage|sessionStorage|indexedDB|document\.cookie|caches\.\w)/,
  allowed: {
    'web/src/shell/appearance.ts': 'theme, density, and the width of the sidebar',
    'web/src/shell/open-projects.ts': 'ids of the projects that the sidebar shows open, until sign-out',
    'web/src/shell/collapsed-parts.ts':
      'ids of the columns and groups that a person has collapsed or expanded, until sign-out',
    'web/src/offline/kept-answers.ts': 'the account whose answers are kept, and these answers, until sign-out',
    'web/src/offline/service-worker.ts': 'the built pages, which are the same for everyone, until sign-out',
    'web/src/peek/peek-memory.ts': 'whether the panel beside a list is open, and its width, until sign-out',
    'web/src/my-work/stored-grouping.ts': 'whether own work is grouped by due date, status or project',
    'web/src/artifacts/timeline/timeline-order.ts': 'whether the newest comments come first',
    'web/src/messages/language.ts': 'the language of the pages',
    'web/src/accounts/sign-in-options.ts': 'the name of the sign-in provider that was used last',
    'web/src/artifacts/draft-storage.ts': 'drafts, until they are sent or their author signs out',
  },
}
const CHANCE: Rule = {
  pattern: /Math\.random\(/,
  allowed: {
    'server/src/files/store/s3-store.ts': 'when to try again',
    'server/src/feed/webhooks/record-outcome.ts': 'when to try again',
    'server/src/platform/http/request-lane.ts': 'how long a request waits at most',
  },
}

const sources = globSync(['server/src/**/*.ts', 'web/src/**/*.{ts,tsx}']).filter((file) => !/\.test\.tsx?$/.test(file))

test('no code evaluates text as code, or writes it into a page as HTML', () => {
  expect(breaking(CODE)).toEqual([])
})

test('hashes and ciphers are strong, and come from the platform', () => {
  expect(breaking(WEAK)).toEqual([])
})

test('browser storage holds only appearance settings, open projects and columns, the language, the last sign-in provider, drafts and what was seen', () => {
  expect(breaking(STORAGE)).toEqual([])
})

test('Math.random is used only in listed places without security relevance', () => {
  expect(breaking(CHANCE)).toEqual([])
})

test.each([
  [CODE, "const run = eval('1')"],
  [CODE, 'element.innerHTML = text'],
  [WEAK, "createHash('md5').update(password)"],
  [WEAK, "createCipheriv('aes-256-cbc', key, nonce)"],
  [STORAGE, 'caches.open(name)'],
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
