import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_MEMBERS, MAX_VALUES, parseStrictJson, parseLongStrictJson } from './json.ts'

const MALFORMED = expect.objectContaining({ reason: 'body_malformed', status: 400 })
const refusal = (text: string) => {
  try {
    return parseStrictJson(text)
  } catch (error) {
    return error
  }
}

test('valid JSON is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ depthSize: 'large' }), fc.nat({ max: 4 }), (text, indent) => {
      fc.pre(!text.includes('__proto__'))
      const spread = JSON.stringify(JSON.parse(text), undefined, indent)
      expect(parseStrictJson(spread)).toEqual(JSON.parse(spread))
    }),
  )
})

test.each(['', '{', '{"a":1', '{"a" 1}', "{'a':1}", '[1,]', '{"a":1}}', 'nul', '"open', '"\\', '{"\\u12":1}', '[1 2]'])(
  'invalid JSON is malformed: %s',
  (text) => {
    expect(refusal(text)).toEqual(MALFORMED)
  },
)

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"b":{"c":[]},"a":2}',
  '{"values":[{"field_id":1,"value":"x","field_id":2}]}',
  '{"a":1,"\\u0061":2}',
  '{"":1,"":2}',
  '{"a\\"":1,"a\\u0022":2}',
  '{"__proto__":1,"__proto__":2}',
])('a member given twice is refused: %s', (text) => {
  expect(refusal(text)).toEqual(MALFORMED)
})

test('equal names in different objects, and equal texts that are not names, are not duplicates', () => {
  const text = '{"a":{"a":"a"},"b":["a","a",{"a":1},{"a":2}],"c":"{\\"a\\":1,\\"a\\":2}","\\\\":"\\\\"}'
  expect(parseStrictJson(text)).toEqual(JSON.parse(text))
})

test('64 levels are read, 65 are refused', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(refusal(nested(64))).toEqual(JSON.parse(nested(64)))
  expect(refusal(nested(65))).toEqual(MALFORMED)
  expect(refusal('{"a":'.repeat(65) + '1' + '}'.repeat(65))).toEqual(MALFORMED)
})

test('100,000 levels are refused at once', () => {
  const text = '{"a":['.repeat(50_000)
  const start = performance.now()
  expect(refusal(text)).toEqual(MALFORMED)
  expect(performance.now() - start).toBeLessThan(5000) // 50 ms on an idle machine.
})

test('a long run of quotes and backslashes takes linear time', () => {
  const start = performance.now()
  expect(refusal(`"${'\\'.repeat(2_000_001)}"`)).toEqual(MALFORMED)
  expect(refusal(`"${'\\"'.repeat(1_000_000)}"`)).toHaveLength(1_000_000)
  expect(performance.now() - start).toBeLessThan(15_000)
})

test.each(['{"a":{"__proto__":{"admin":true},"b":1}}', '{"\\u005f_proto__":{"admin":true}}'])(
  'a `__proto__` member is refused, however it is spelt, and reaches no prototype: %s',
  (text) => {
    expect(refusal(text)).toMatchObject({ reason: 'member_unknown', details: { path: '__proto__' } })
    expect({}).not.toHaveProperty('admin')
  },
)

test('`constructor` is a member like any other', () => {
  expect(JSON.stringify(parseStrictJson('{"constructor":{"prototype":{"admin":true}}}'))).toBe(
    '{"constructor":{"prototype":{"admin":true}}}',
  )
  expect({}).not.toHaveProperty('admin')
})

test('invalid strings are left to the schema, which can name their path', () => {
  expect(parseStrictJson('{"a":"\\ud800","b":"\\u0000"}')).toEqual({ a: '\ud800', b: '\0' })
})

describe('a long text', () => {
  test('is parsed in slices with the same result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ depthSize: 'large' }), fc.nat({ max: 70_000 }), async (text, spaces) => {
        const long = `[${' '.repeat(spaces)}"${'\\"\\\\'.repeat(20_000)}",${text}]`
        expect(await parseLongStrictJson(long).catch(() => 'refused')).toEqual(refusalOrValue(long))
      }),
      { numRuns: 20 },
    )
  })

  test.each([
    ['L07/items', `[${'1,'.repeat(MAX_VALUES)}1]`],
    ['L07/members', `{${Array.from({ length: MAX_MEMBERS + 1 }, (_, at) => `"${at}":1`).join(',')}}`],
  ])('%s is bounded', async (_, text) => {
    const TOO_LARGE = expect.objectContaining({ reason: 'payload_too_large', status: 413 })
    expect(refusal(text)).toEqual(TOO_LARGE)
    await expect(parseLongStrictJson(text)).rejects.toEqual(TOO_LARGE)
  })

  test('L07/digits a number has at most 128 characters', () => {
    expect(refusal('9'.repeat(129))).toEqual(MALFORMED)
    expect(refusal(`[${' '.repeat(500)}${'9'.repeat(128)}${'\t'.repeat(500)}]`)).toEqual([1e128])
  })
})

function refusalOrValue(text: string): unknown {
  const read = refusal(text)
  return read instanceof Error ? 'refused' : read
}
