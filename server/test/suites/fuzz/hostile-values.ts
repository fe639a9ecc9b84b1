import type { RepeatableRandom } from './random.ts'

const NUL = '\u0000'
const LONE_SURROGATES = ['\ud800', '\udfff', 'a\ud83dz']

/** Texts that are known to break servers. */
const TEXTS: readonly [string, ...string[]] = [
  '',
  ' ',
  '\t\r\n',
  NUL,
  `a${NUL}b`,
  ...LONE_SURROGATES,
  '\u202Egnp.exe',
  '\uFEFF',
  '\uFFFE\uFFFF',
  'İıſẞﬁ',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(20),
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '1e309',
  '0x10',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' or '1'='1",
  "'; drop table account; --",
  "') union select password_hash from account --",
  '1; select pg_sleep(5)',
  '%_\\%',
  '$1',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd%00.png',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  ']]>',
  '&amp;&#0;&unknown;',
  '=cmd|calc!A1',
  'a@b\r\nBcc: victim@waypost.example',
  '"quoted"@waypost.example',
  'a,b;c:d',
  '() { :; }; echo',
  '`id`$(id)|id',
  '(((((((((((a+)+)+)+)+)+)+)+)+)+)+)$',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:60+14:00',
  '-271821-04-20T00:00:00Z',
  '2026-02-30',
]

const LENGTHS: readonly [number, ...number[]] = [1, 2, 3, 30, 31, 64, 100, 101, 254, 255, 256, 1000, 1025, 5001]
const LONG: readonly [number, ...number[]] = [10_001, 65_537, 300_000]

export const NUMBERS: readonly [number, ...number[]] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1.5e-10,
  100,
  2_147_483_648,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e308,
  Number.MIN_VALUE,
]

/** Values in place of an id. */
export const IDS: readonly [string, ...string[]] = [
  '0',
  '-1',
  '+1',
  '01',
  '1.0',
  '1e3',
  '0x1F',
  ' 1',
  '1_3',
  '0_3',
  '2001_',
  '2001_3_4',
  '2001_99',
  '99999999999999999999',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999_3',
  '9007199254740991_9007199254740991',
  'ffffffffffffffff',
  '1fffffffffffff',
  'self',
  'me',
  'SELF',
  'null',
  '*',
  '..',
  '.',
  '%',
]

export function anyText(random: RepeatableRandom): string {
  if (random.chance(0.08)) return random.letters(random.pick(LENGTHS))
  if (random.chance(0.02)) return 'x'.repeat(random.pick(LONG))
  return random.pick(TEXTS)
}

/** A value of any type, including deeply nested ones. */
export function anyValue(random: RepeatableRandom): unknown {
  switch (random.integer(0, 8)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.pick(NUMBERS)
    case 3:
      return []
    case 4:
      return {}
    case 5:
      return [anyText(random), random.pick(NUMBERS), null]
    case 6:
      return { [anyText(random)]: anyText(random), id: random.pick(NUMBERS) }
    case 7:
      return nest(random.integer(2, 90))
    default:
      return anyText(random)
  }
}

function nest(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
