import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { parseStrictJson } from './json.ts'
import { readInput } from './read-input.ts'

const fromJson = (schema: TSchema, text: string) => readInput(schema, parseStrictJson(text), 'json')
const refusal = (work: () => unknown): unknown => {
  try {
    return { accepted: work() }
  } catch (error) {
    return error
  }
}
const refused = (reason: string, details: object) => expect.objectContaining({ reason, details })

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

test.each<[TSchema, string, string, object]>([
  [Type.Integer(), '1.5', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '"1.0"', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '" 1"', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '"١"', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '"0x1"', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '""', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), 'null', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '[1]', 'parameter_invalid', { rule: 'type' }],
  [Type.Integer(), '1e400', 'parameter_invalid', { rule: 'type' }],
  [Type.Number(), '1e400', 'parameter_invalid', { rule: 'type' }],
  [Type.Number(), '"1.5"', 'parameter_invalid', { rule: 'type' }],
  [Type.Boolean(), '"false"', 'parameter_invalid', { rule: 'type' }],
  [Type.Boolean(), '"1"', 'parameter_invalid', { rule: 'type' }],
  [Type.Boolean(), '1', 'parameter_invalid', { rule: 'type' }],
  [Type.String(), '["ana@example.org"]', 'parameter_invalid', { rule: 'type' }],
  [Type.String(), '5', 'parameter_invalid', { rule: 'type' }],
  [Type.String(), 'null', 'parameter_invalid', { rule: 'type' }],
  [Type.String({ pattern: '^a$' }), '"b"', 'parameter_invalid', { rule: 'pattern' }],
  [Type.String({ format: 'email' }), '"b"', 'parameter_invalid', { rule: 'format' }],
  [Type.Unknown(), '1e400', 'parameter_invalid', { rule: 'format' }],
  [Type.Enum(['p', 'q']), '"z"', 'parameter_not_allowed', { rule: 'one_of', allowed: ['p', 'q'] }],
  [Type.Literal('p'), '{}', 'parameter_not_allowed', { rule: 'one_of', allowed: ['p'] }],
  [
    Type.Union([Type.Literal('p'), Type.Literal(2), Type.Null()]),
    '"z"',
    'parameter_not_allowed',
    { rule: 'one_of', allowed: ['p', 2, null] },
  ],
  [
    Type.Union([Type.Enum(['p']), Type.Null()]),
    '"z"',
    'parameter_not_allowed',
    { rule: 'one_of', allowed: ['p', null] },
  ],
  [
    Type.Integer({ minimum: 0, maximum: 50 }),
    '60',
    'parameter_out_of_range',
    { rule: 'maximum', allowed: { minimum: 0, maximum: 50 } },
  ],
  [
    Type.Number({ exclusiveMinimum: 0 }),
    '0',
    'parameter_out_of_range',
    { rule: 'minimum', allowed: { exclusive_minimum: 0 } },
  ],
  [
    Type.String({ minLength: 1, maxLength: 3, trim: true }),
    '"  "',
    'parameter_out_of_range',
    { rule: 'min_length', allowed: { minimum: 1, maximum: 3 } },
  ],
  [
    Type.Union([Type.String({ maxLength: 2 }), Type.Null()]),
    '"abc"',
    'parameter_out_of_range',
    { rule: 'max_length', allowed: { maximum: 2 } },
  ],
  [
    Type.Array(Type.Integer(), { maxItems: 1 }),
    '[1,2]',
    'parameter_out_of_range',
    { rule: 'max_length', allowed: { maximum: 1 } },
  ],
  [Type.Union([Type.Integer(), Type.Boolean()]), '"x"', 'parameter_invalid', { rule: 'type' }],
  [
    Type.Record(Type.String(), Type.Integer(), { minProperties: 1 }),
    '{}',
    'parameter_out_of_range',
    { rule: 'min_length', allowed: { minimum: 1 } },
  ],
])('%j refuses %s: %s', (schema, text, reason, details) => {
  const wrapped = Type.Object({ a: schema })
  expect(refusal(() => fromJson(wrapped, `{"a":${text}}`))).toEqual(refused(reason, { path: 'a', ...details }))
})

test('an integer that has lost digits is refused', () => {
  const schema = Type.Object({ id: Type.Integer({ minimum: 1 }) })
  const allowed = { minimum: -9007199254740991, maximum: 9007199254740991 }
  for (const id of ['9007199254740993', '"9007199254740993"', '9223372036854775807', '1e308', '-9007199254740992'])
    expect(refusal(() => fromJson(schema, `{"id":${id}}`))).toEqual(
      refused('parameter_invalid', { path: 'id', rule: 'type', allowed }),
    )
})

test('a missing member is reported', () => {
  expect(refusal(() => fromJson(Write, '{"tracker":{},"values":[]}'))).toEqual(
    refused('parameter_required', { path: 'tracker.id', rule: 'required' }),
  )
})

test('a duplicate entry is reported by its path', () => {
  const schema = Type.Object({ paths: Type.Array(Type.String(), { uniqueItems: true }) })
  expect(refusal(() => fromJson(schema, '{"paths":["/a","/b","/a"]}'))).toEqual(
    refused('duplicate_entry', { path: 'paths[2]', rule: 'unique' }),
  )
})

test('a closed schema refuses unknown members at every level', () => {
  const schema = Type.Object({ settings: Type.Object({}, { additionalProperties: false }) })
  expect(refusal(() => fromJson(schema, '{"other":1,"settings":{"acess_file":"x"}}'))).toEqual(
    refused('member_unknown', { path: 'settings.acess_file', rule: 'unknown_member' }),
  )
})

test('a body of the wrong type is refused, and `place` is the path of a part', () => {
  expect(refusal(() => readInput(Write, [], 'json'))).toEqual(
    refused('parameter_invalid', { path: 'body', rule: 'type' }),
  )
  expect(refusal(() => readInput(Type.Object({ id: Type.Integer() }), { id: 'x' }, 'json', 'values[3]'))).toEqual(
    refused('parameter_invalid', { path: 'values[3].id', rule: 'type' }),
  )
})

test('several faults are reported at once, the first of them at the top', () => {
  const text = '{"tracker":{"id":0},"values":[{"field_id":1},{},{"field_id":"x","bind_value_ids":["y","5"]}]}'
  const first = {
    path: 'tracker.id',
    rule: 'minimum',
    allowed: { minimum: 1 },
  }
  expect(refusal(() => fromJson(Write, text))).toEqual(
    refused('parameter_out_of_range', {
      ...first,
      all: [
        { reason: 'parameter_out_of_range', ...first },
        { reason: 'parameter_required', path: 'values[1].field_id', rule: 'required' },
        { reason: 'parameter_invalid', path: 'values[2].field_id', rule: 'type' },
        { reason: 'parameter_invalid', path: 'values[2].bind_value_ids[0]', rule: 'type' },
      ],
    }),
  )
})

test('the list of faults is bounded', () => {
  const error = refusal(() => readInput(Type.Array(Type.Integer()), Array(100_000).fill('x'), 'json'))
  expect(error).toHaveProperty('details.all.length', 50)
})

test('a variant of a union is recognized by its constants', () => {
  const schema = Type.Object({
    step: Type.Union([
      Type.Object({ kind: Type.Literal('move'), to: Type.Integer({ maximum: 9 }) }),
      Type.Object({ kind: Type.Literal('name'), to: Type.String() }),
    ]),
  })
  expect(fromJson(schema, '{"step":{"kind":"move","to":"5"}}')).toEqual({ step: { kind: 'move', to: 5 } })
  expect(fromJson(schema, '{"step":{"kind":"name","to":"5"}}')).toEqual({ step: { kind: 'name', to: '5' } })
  expect(refusal(() => fromJson(schema, '{"step":{"kind":"move","to":"50"}}'))).toEqual(
    refused('parameter_out_of_range', { path: 'step.to', rule: 'maximum', allowed: { maximum: 9 } }),
  )
  expect(refusal(() => fromJson(schema, '{"step":{"kind":"fly"}}'))).toEqual(
    refused('parameter_invalid', { path: 'step', rule: 'type' }),
  )
})

test('a schema may name the cause of a wrong type, and of a missing member', () => {
  const schema = Type.Object(
    { values: Type.Optional(Type.Array(Type.Integer(), { cause: 'values_not_array' })), tracker: Type.Integer() },
    { absent: 'tracker_missing' },
  )
  const all = [
    { reason: 'parameter_required', path: 'tracker', rule: 'required', cause: 'tracker_missing' },
    { reason: 'parameter_invalid', path: 'values', rule: 'type', cause: 'values_not_array' },
  ]

  expect(refusal(() => fromJson(schema, '{"values": {}}'))).toEqual(
    refused('parameter_required', { path: 'tracker', rule: 'required', cause: 'tracker_missing', all }),
  )
  expect(refusal(() => fromJson(schema, '{"tracker": 1, "values": ["x"]}'))).toEqual(
    refused('parameter_invalid', { path: 'values[0]', rule: 'type' }),
  )
})
