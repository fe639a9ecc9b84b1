import { globSync, readFileSync } from 'node:fs'
import safe from 'safe-regex2'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { isRecord } from '../../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../../src/routes.ts'
import { startWorld } from '../../harness/start-world.ts'
import { TOM } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { attackOnce } from './attack.ts'

const world = await startWorld({ seedOnce: true })

interface Found {
  readonly file: string
  readonly expression: RegExp
}

/** Patterns that the checker reports, and why they are harmless. The strings below are run against these as well. */
const JUDGED: Record<string, string> = {
  [/^(?:[\w&.-]+\/)*[\w&]+$/.source]: 'each round ends with a slash, which no round can begin with',
  [/(?<!\w)(?:(?<context>\w+)\s)?(?<text>(?<keyword>\w+)\s#(?:(?<project>[\w-]+):)?(?<value>(?:[\w&.-]+\/)*[\w&]+)(?![\w&/]))/
    .source]: 'as above; runs without a space are bounded before',
  [/^(\d+)(?:_(\d+))?$/.source]: 'the optional part begins with what cannot stand before it',
  ['^\\d+(_\\d+)?$']: 'the same, in a schema',
  [/^(?='*[=+\-@\t\r\n])|(?<=[,;\t\r\n])(?='*[=+\-@])/.source]:
    'each run of quotes is read once, behind the separator before it',
  [/^'(?='*[=+\-@\t\r\n])|(?<=[,;\t\r\n])'(?='*[=+\-@])/.source]: 'the same',
  [/(?<![\p{L}\p{N}_-])[A-Za-z][A-Za-z0-9_]{0,99}-[0-9]{1,15}(?![\p{L}\p{N}_-])/u.source]:
    'it begins behind what it cannot hold, and every part has a bound',
  [/(?<=[\p{L}\p{N}])([.。．｡])(?=[\p{L}\p{N}])/u.source]: 'every part has a fixed length',
  [/(?<=\p{L}):(?=\S)/u.source]: 'every part has a fixed length',
  [/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.source]: 'each optional part begins with its own mark',
  [/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.source]: 'each optional part begins with its own mark',
  [/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.source]:
    'only one part has no fixed length',
  [/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.source]: 'only one part has no fixed length',
  [/^.{10}(?:.\d\d:\d\d(?::\d\d)?)?$/.source]: 'every part has a fixed length',
  [/^([+-]?[\d.]+(?:e[+-]?\d+)?)\s*-\s*(\S+)$/.source]: 'each part begins with what the one before cannot hold',
  [/^.{11,}(?:Z|[+-]\d\d(?::?\d\d)?)$/.source]: 'only one part has no fixed length',
  [/-?\d+(?:\.\d+)?/.source]: 'the optional part begins with its own mark',
  [/(?<=.)[,;:.!?]+$/.source]: 'as long as a search may be, which is 200 characters',
  [/^(?:\s*EXPLAIN\b)?\s*/.source]: 'the word stands between the two',
  [/^\s*-?\d+([.,]\d+)?\s*$/.source]: 'the optional part begins with its own mark',
  [/^[+-]?\d+(\.\d+)?$/.source]: 'the optional part begins with its own mark',
  [/^(\/api\/v1(?=\/|\?|$)|\/api(?=\/|\?|$))?([^?]*?)\/?(?:\?(.*))?$/.source]:
    'nothing is repeated within a repetition',
  [/^(?:\/[\w.-]+)+\/?$/.source]: 'each round begins with a slash, which no round can hold',
  [/^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.source]: 'as above; the rest has a bound',
  [/^(?:pieces\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:content|previews)\/([0-9a-f]{2})\/\1[0-9a-f]{62})$/
    .source]: 'every part has a fixed length',
  [/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.source]: 'each optional part begins with its own mark',
  [/(?<=\r)(?!\n)|\n/.source]: 'every part has a fixed length',
  [/(?<=\s)'([^']+)'|(\[[^\]]+\])/.source]: 'one line that a tool has said',
  [/(?<![\p{L}\p{N}._@/-])@([\p{L}\p{N}][\p{L}\p{N}_.-]*)/u.source]: 'it begins with a mark that it cannot hold',
  [/^(?:(\d{1,9})\s*h)?\s*(?:(\d{1,9})\s*m)?$/.source]: 'digits and letters stand between the runs of spaces',
  [/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.source]: 'each run of digits begins with a mark of its own',
  [/^(\/api\/(?!(?:v1\/)?(?:explorer\/|schemas\/|openapi\.json))[^?]*)\.(json|xml)(\/?(?:\?.*)?)$/.source]:
    'the first part has no question mark, and the last one begins with it',
  [/^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.source]: 'groups of a fixed length',
  [/^(preview\/)?(\d{1,16})(?:-([^]*))?$/.source]: 'only one part has no bound, and it begins with its own mark',
}

/** Patterns that are slow on long texts, and the maximum length of their input. */
const BOUNDED = new Map([
  [/(?=[\w+/=-]*\d)[\w+/=-]{24,}/.source, 500], // The error of a job is truncated before.
  [/^(.+?)\1+$/.source, 1024], // A password.
  [/%.*$/.source, 64], // An address of a peer.
  [/(?<=.)[,;:.!?]+$/.source, 200], // The words of a search.
])
const LONG = 20_000

const SOURCES = globSync('server/src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
const LITERALS = SOURCES.flatMap(literalsIn)
const PATTERNS = ROUTES.flatMap(({ operationId, body, query, params }) =>
  patternsIn([body, query, params]).map((pattern) => ({ file: operationId, expression: new RegExp(pattern, 'u') })),
)
const ALL: readonly Found[] = [...LITERALS, ...PATTERNS]

describe('every regular expression', () => {
  test('I13 is harmless for the checker, or was reviewed', () => {
    expect(LITERALS.length).toBeGreaterThan(80)
    expect(PATTERNS.length).toBeGreaterThan(5)
    const disliked = ALL.filter(({ expression }) => !safe(expression)).map(({ expression }) => expression.source)
    expect([...new Set(disliked)].filter((source) => !(source in JUDGED))).toEqual([])
    expect(Object.keys(JUDGED).filter((source) => !disliked.includes(source))).toEqual([])
  })

  test('I13/built is a literal, except for known ones', () => {
    const built = SOURCES.filter((file) => /new RegExp\(/.test(readFileSync(file, 'utf8')))
    expect(built.toSorted()).toEqual(Object.keys(BUILT).toSorted())
  })

  test.each(ALL)('I13/run /$expression.source/ is fast on $file', ({ expression }) => {
    const slow = attackStrings(expression.source, BOUNDED.get(expression.source) ?? LONG).flatMap((text) => {
      const took = Math.min(timeOf(expression, text), timeOf(expression, text))
      return took > 50 ? [`${Math.round(took)} ms on ${JSON.stringify(text.slice(0, 40))}… of ${text.length}`] : []
    })
    expect(slow).toEqual([])
  })
})

/** Files that build expressions from texts, and the source of these. */
const BUILT = {
  'server/src/platform/http/endpoint.ts': 'from the addresses in pages.ts',
  'server/src/platform/http/http.ts': 'from the paths of routes, which are ours',
  'server/src/platform/http/read-address.ts': 'from the paths of routes, which are ours',
  'server/src/platform/wire/csv-parser.ts': 'from one of three separators',
  'server/src/platform/wire/schema-shape.ts': 'from the names in schemas, which are ours',
  'server/src/platform/wire/xml.ts': 'from a list of ranges of characters, in the same file',
  'server/src/projects/search/crop.ts': 'from the words of one search, which are letters, digits and what is escaped',
  'server/src/projects/search/keywords.ts': 'from lists of characters, in the same file',
}

describe('a text that a server could choke on', () => {
  test.each<[what: string, text: string]>([
    ['words', 'a '.repeat(499_000)],
    ['one word', 'a'.repeat(990_000)],
    ['long words', `${'a'.repeat(4_900)} `.repeat(200)],
    ['references', 'art #1 '.repeat(140_000)],
    ['almost references', 'art #a/'.repeat(140_000)],
    ['slashes', `art #${'a/'.repeat(2_400)}! `.repeat(200)],
    ['dots', `art #${'.'.repeat(4_900)} `.repeat(200)],
    ['ampersands', `art #${'&'.repeat(4_900)}/ `.repeat(200)],
    ['projects', `art #${'a-'.repeat(2_400)}: `.repeat(200)],
  ])('I13/text of %s is parsed in time', async (_, text) => {
    const path = `/projects/${ORCHARD}/extract_references`
    expect((await attackOnce(world, 'POST', path, { as: TOM, body: { text } })).status).toBe(200)
  })

  test.each([
    'accept',
    'accept-language',
    'cookie',
    'if-match',
    'if-none-match',
    'authorization',
    'content-type',
    'user-agent',
    'x-request-id',
  ])('I13/header %s of 8 KB is parsed in time', async (name) => {
    for (const part of ['a', ' ', ';', ',', ';q=', 'a/b;', '"', '\\"', '=', 'a, ', '*', '-', 'W/"', '. ']) {
      const headers = { [name]: `${part.repeat(Math.floor(8000 / part.length))}!` }
      const answer = await attackOnce(world, 'GET', `/projects/${ORCHARD}`, { as: TOM, headers })
      expect(answer.status).toBeLessThan(500)
    }
  })

  test('I13/address of 30 KB is parsed in time', async () => {
    for (const part of ['/', 'a/', '.json', '%20', '?', '&a', '=', '[', '..', '%2e', '/api', ';'])
      expect(
        (await attackOnce(world, 'GET', `/projects${part.repeat(Math.floor(30_000 / part.length))}`, { as: TOM }))
          .status,
      ).toBeLessThan(500)
  })
})

/** All regular expression literals of a file, found by a parser. */
function literalsIn(file: string): Found[] {
  const found: Found[] = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) walk(each)
    if (!isRecord(node)) return
    const { regex } = node
    if (node['type'] === 'Literal' && isRecord(regex))
      found.push({ file, expression: new RegExp(String(regex['pattern']), String(regex['flags'])) })
    for (const each of Object.values(node)) if (typeof each === 'object') walk(each)
  }
  walk(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }))
  return found
}

function patternsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(patternsIn)
  if (!isRecord(schema)) return []
  const { pattern } = schema
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(schema).flatMap(patternsIn)]
}

/** Long runs of characters from the expression itself, so that it matches for long, and an end that fails. */
function attackStrings(source: string, length: number): string[] {
  const letters = [...new Set(source.replaceAll(/\\[a-zA-Z]|[[\](){}^$|*+?\\]/g, ''))].slice(0, 12)
  const parts = [...new Set([...letters, 'a', '0', ' ', '\t', '/', '.', '-', '_', 'é', 'a ', 'a.', 'a/', '0 '])]
  return parts.flatMap((part) => {
    const run = part.repeat(Math.floor(length / part.length))
    return [run, `${run}\0`, `${run}!`, `a${run}\n`, `/api/${run}`]
  })
}

function timeOf(expression: RegExp, text: string): number {
  const fresh = new RegExp(expression.source, expression.flags)
  const began = performance.now()
  if (fresh.global) text.replace(fresh, '')
  else fresh.test(text)
  return performance.now() - began
}
