import { Type, type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { parseStrictJson } from './json.ts'
import { type Dialect, readInput } from './read-input.ts'

const fromJson = (schema: TSchema, text: string) => readInput(schema, parseStrictJson(text), 'json')
const refusal = (work: () => unknown): unknown => {
  try {
    return { accepted: work() }
  } catch (error) {
    return error
  }
}

const Write = Type.Object({
  tracker: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  values: Type.Array(
    Type.Object({
      field_id: Type.Integer(),
      value: Type.Optional(Type.Unknown()),
      bind_value_ids: Type.Optional(Type.Array(Type.Integer())),
      links: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), type: Type.Optional(Type.String()) }))),
    }),
  ),
})

describe('JSON', () => {
  test.each<[TSchema, string, unknown]>([
    [Type.Integer(), '101', 101],
    [Type.Integer(), '"101"', 101],
    [Type.Integer(), '"-7"', -7],
    [Type.Integer(), '9007199254740991', Number.MAX_SAFE_INTEGER],
    [Type.Integer(), '"-9007199254740991"', Number.MIN_SAFE_INTEGER],
    [Type.Integer(), '-0', 0],
    [Type.Number(), '1.5', 1.5],
    [Type.Boolean(), 'false', false],
    [Type.String(), '" 007 "', ' 007 '],
    [Type.String({ trim: true, minLength: 1 }), '" a b\\n"', 'a b'],
    [Type.Union([Type.String({ trim: true }), Type.Null()]), '" a"', 'a'],
    [Type.Union([Type.Integer(), Type.Null()]), '"5"', 5],
    [Type.Union([Type.Integer(), Type.Null()]), 'null', null],
    [Type.Union([Type.Integer(), Type.String()]), '"5"', '5'],
    [Type.Union([Type.String(), Type.Integer()]), '5', 5],
    [Type.Union([Type.Array(Type.Integer()), Type.Object({ id: Type.Integer() })]), '{"id":"5"}', { id: 5 }],
    [Type.Enum(['a', 'b']), '"b"', 'b'],
    [Type.Union([Type.Literal(1), Type.Literal(2)]), '"2"', 2],
    [Type.Array(Type.Integer()), '["1",2]', [1, 2]],
    [Type.Unsafe({ type: ['integer', 'null'] }), '"3"', 3],
    [Type.Unknown(), '{"a":[1,"2",null]}', { a: [1, '2', null] }],
    [Type.Object({ a: Type.Optional(Type.Integer()) }), '{"b":1}', {}],
    [Type.Object({}, { additionalProperties: true }), '{"b":1}', { b: 1 }],
    [
      Type.Object({ a: Type.String() }, { additionalProperties: Type.Integer() }),
      '{"b":"1","a":"1"}',
      { a: '1', b: 1 },
    ],
    [Type.Record(Type.String(), Type.Integer()), '{"b c":"1"}', { 'b c': 1 }],
  ])('%j reads %s', (schema, text, value) => {
    expect(fromJson(schema, text)).toStrictEqual(value)
  })
})

describe('forms and addresses', () => {
  const Query = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 50 })),
    admin: Type.Optional(Type.Boolean()),
    order: Type.Optional(Type.Enum(['asc', 'desc'])),
    name: Type.Optional(Type.String()),
  })

  test('texts are parsed by the schema', () => {
    const given = { limit: '10', admin: '1', order: 'asc', name: '5', other: 'x' }
    const value = { limit: 10, admin: true, order: 'asc', name: '5' }
    expect(readInput(Query, given, 'text')).toStrictEqual(value)
    expect(readInput(Query, new Map(Object.entries(given)), 'text')).toStrictEqual(value)
  })

  test.each([
    [{ admin: 'true' }, { admin: true }],
    [{ admin: 'false' }, { admin: false }],
    [{ admin: '0' }, { admin: false }],
    [{ name: '' }, { name: '' }],
  ])('%j is read as %j', (given, value) => {
    expect(readInput(Query, given, 'text')).toStrictEqual(value)
  })

  test.each([
    [{ limit: '60' }, 'parameter_out_of_range'],
    [{ limit: '1.0' }, 'parameter_invalid'],
    [{ limit: '' }, 'parameter_invalid'],
    [{ limit: '9'.repeat(400) }, 'parameter_invalid'],
    [{ admin: 'yes' }, 'parameter_invalid'],
    [{ order: 'up' }, 'parameter_not_allowed'],
    [{ name: 'a\0' }, 'parameter_invalid'],
  ])('%j is refused: %s', (given, reason) => {
    expect(refusal(() => readInput(Query, given, 'text'))).toMatchObject({
      reason,
      details: { path: Object.keys(given)[0] },
    })
  })
})

describe('in every dialect', () => {
  const schemas: [string, TSchema, unknown, string][] = [
    ['a string', Type.Object({ a: Type.String() }), { a: 'x\0' }, 'a'],
    ['a string that may be null', Type.Object({ a: Type.Union([Type.String(), Type.Null()]) }), { a: '\udc00' }, 'a'],
    [
      'any of several objects',
      Type.Object({
        a: Type.Union([Type.Object({ b: Type.String() }), Type.Object({ c: Type.Array(Type.String()) })]),
      }),
      { a: { c: ['\0'] } },
      'a.c[0]',
    ],
    ['a free place', Type.Object({ a: Type.Unknown() }), { a: { b: ['ok', '\ud800'] } }, 'a.b[1]'],
    ['a name in a free place', Type.Object({ a: Type.Unknown() }), { a: { 'b\0': 1 } }, 'a.b\0'],
    ['a name in a map', Type.Record(Type.String(), Type.Integer()), { 'b\0': 1 }, 'b\0'],
  ]
  test.each(schemas)('%s contains neither U+0000 nor lone surrogates', (_, schema, value, path) => {
    for (const dialect of ['json', 'text'] satisfies Dialect[])
      expect(refusal(() => readInput(schema, value, dialect))).toMatchObject({
        reason: 'parameter_invalid',
        details: { path, rule: 'format' },
      })
  })

  test('an invalid string in an unknown member is ignored', () => {
    expect(readInput(Type.Object({}), { other: '\0' }, 'json')).toEqual({})
  })

  test('inherited members do not count', () => {
    const schema = Type.Object({ constructor: Type.Optional(Type.String()) })
    expect(readInput(schema, {}, 'json')).toEqual({})
  })

  test('a schema that cannot be read reliably fails at once', () => {
    const schema = Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })])
    expect(() => readInput(schema, {}, 'json')).toThrow(TypeError)
    expect(() => readInput(Type.Tuple([Type.Integer()]), [], 'json')).toThrow(TypeError)
  })

  test('a small input takes microseconds', () => {
    const raw = { tracker: { id: 12 }, values: [{ field_id: 311, value: 'Pump leaks' }] }
    const runs = 10_000
    for (let run = 0; run < runs; run++) readInput(Write, raw, 'json')
    const start = performance.now()
    for (let run = 0; run < runs; run++) readInput(Write, raw, 'json')
    expect(((performance.now() - start) / runs) * 1000).toBeLessThan(2000)
  })
})
