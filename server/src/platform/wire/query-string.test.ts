import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseForm, parseQueryString } from './query-string.ts'

const read = (raw: string) => {
  const { values, duplicates } = parseQueryString(raw)
  return { values: Object.fromEntries(values), duplicates: [...duplicates] }
}
const refusal = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test.each([
  ['limit=5&offset=10', { limit: '5', offset: '10' }],
  ['query=%7B%22id%22%3A1%7D', { query: '{"id":1}' }],
  ['query={"name": "a:b"}', { query: '{"name": "a:b"}' }],
  ['name=a+b%2Bc%20d', { name: 'a b+c d' }],
  ['name=100%2525', { name: '100%25' }],
  ['expression=a=b', { expression: 'a=b' }],
  ['a%26b=1', { 'a&b': '1' }],
  ['name=caf%C3%A9', { name: 'café' }],
])('%s is read', (raw, values) => {
  expect(read(raw)).toEqual({ values, duplicates: [] })
})

test.each(['', '=', '&&', 'limit=', 'limit', 'query=&values=&limit='])('%j gives no parameters', (raw) => {
  expect(read(raw)).toEqual({ values: {}, duplicates: [] })
})

test.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit[]=1', 'limit=1&limit[]=2', 'limit%5B%5D=1', 'limit[0]=1'])(
  '%s gives `limit` more than once',
  (raw) => {
    expect(read(raw).duplicates).toEqual(['limit'])
  },
)

test.each([
  ['', [], []],
  ['&&', [], []],
  ['=', [''], []],
  ['=5', ['='], []],
  ['limit=&a=1&b[]=2&c', ['limit', 'a', 'b', 'c'], ['limit', 'c']],
])('%j has the names %j, of which %j are empty', (raw, names, empty) => {
  const found = parseQueryString(raw)
  expect([[...found.names], [...found.empty]]).toEqual([names, empty])
})

test('an empty value is absent, so it is not a duplicate', () => {
  expect(read('limit=&limit=5')).toEqual({ values: { limit: '5' }, duplicates: [] })
})

test.each(['name=%', 'name=%zz', 'name=%C3', 'name=%C0%80', 'name=%ED%A0%80', 'name=\xff'])(
  '%s is refused with its name',
  (raw) => {
    expect(refusal(() => read(`limit=1&${raw}`))).toMatchObject({
      reason: 'parameter_invalid',
      details: { path: 'name', rule: 'format' },
    })
  },
)

test('a name that cannot be decoded is refused as given', () => {
  expect(refusal(() => read('na%me=1'))).toMatchObject({ details: { path: 'na%me' } })
})

test('unescaped bytes are read as UTF-8', () => {
  expect(read(Buffer.from('name=café').toString('latin1')).values).toEqual({ name: 'café' })
})

test('a form keeps empty values, and is decoded already', () => {
  expect(parseForm('username=ana&password=&note=caf%C3%A9+é').values).toEqual(
    new Map([
      ['username', 'ana'],
      ['password', ''],
      ['note', 'café é'],
    ]),
  )
  expect(parseForm('a=&a=1').duplicates).toEqual(new Set(['a']))
  expect(refusal(() => parseForm('a=%'))).toMatchObject({ reason: 'body_malformed' })
})

test('`__proto__` is a name like any other', () => {
  expect(parseQueryString('__proto__=1').values).toEqual(new Map([['__proto__', '1']]))
})

test('the output of URLSearchParams is read back', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => !each.includes('['))
  fc.assert(
    fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (values) => {
      expect(read(new URLSearchParams(values).toString())).toEqual({ values, duplicates: [] })
    }),
  )
})
