import * as fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { parseStrictJson } from './json.ts'
import { readInput } from './read-input.ts'
import { parseXml, writeXml } from './xml.ts'

const fromXml = (schema: TSchema, xml: string) => readInput(schema, parseXml(`<request>${xml}</request>`), 'xml')
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

test('the request of the contract equals its JSON', () => {
  const xml = `
    <tracker><id>12</id></tracker>
    <values>
      <item><field_id>311</field_id><value>Pump leaks</value></item>
      <item><field_id>310</field_id><bind_value_ids><item>871</item><item>874</item></bind_value_ids></item>
      <item><field_id>315</field_id><links><item><id>1990</id><type>_is_child</type></item></links></item>
    </values>`
  expect(fromXml(Write, xml)).toStrictEqual({
    tracker: { id: 12 },
    values: [
      { field_id: 311, value: 'Pump leaks' },
      { field_id: 310, bind_value_ids: [871, 874] },
      { field_id: 315, links: [{ id: 1990, type: '_is_child' }] },
    ],
  })
})

const Ids = Type.Array(Type.Integer())
const Links = Type.Array(Type.Object({ id: Type.Integer(), type: Type.Optional(Type.String()) }))
test.each<[string, TSchema, string, unknown]>([
  ['an empty list', Ids, '<a/>', []],
  ['a blank list', Ids, '<a>\n  </a>', []],
  ['one item', Ids, '<a><item>5</item></a>', [5]],
  ['bare text', Ids, '<a>871</a>', [871]],
  ['a named element', Ids, '<a><id>5</id></a>', [5]],
  ['named elements', Ids, '<a><id>5</id><id>6</id></a>', [5, 6]],
  ['siblings', Ids, '<a>5</a><a>6</a>', [5, 6]],
  ['siblings that are objects', Links, '<a><id>5</id></a><a><id>6</id></a>', [{ id: 5 }, { id: 6 }]],
  ['an element without its list', Links, '<a><id>5</id><type>x</type></a>', [{ id: 5, type: 'x' }]],
  ['one that has one member only', Links, '<a><id>5</id></a>', [{ id: 5 }]],
  ['a named element that is an object', Links, '<a><link><id>5</id></link></a>', [{ id: 5 }]],
  ['nothing, where there may be null', Type.Union([Ids, Type.Null()]), '<a/>', null],
  ['nothing, for a text that may be null', Type.Union([Type.String(), Type.Null()]), '<a></a>', null],
  ['nothing, for a choice that may be null', Type.Union([Type.Enum(['x']), Type.Null()]), '<a/>', null],
  ['an empty text', Type.String(), '<a/>', ''],
  ['an empty object', Type.Object({}), '<a/>', {}],
  ['a text of digits', Type.String(), '<a>007</a>', '007'],
  ['a text of spaces', Type.String(), '<a> \n</a>', ' \n'],
  ['a trimmed text', Type.String({ trim: true }), '<a> x </a>', 'x'],
  ['a number', Type.Number(), '<a>-1.5e3</a>', -1500],
  ['true', Type.Boolean(), '<a>true</a>', true],
  ['1', Type.Boolean(), '<a>1</a>', true],
  ['false', Type.Boolean(), '<a>false</a>', false],
  ['0', Type.Boolean(), '<a>0</a>', false],
  ['a choice of numbers', Type.Enum([1, 2]), '<a>2</a>', 2],
  ['an id or a name', Type.Union([Type.String(), Type.Integer()]), '<a>2</a>', 2],
  ['a list or an object', Type.Union([Ids, Type.Object({ id: Type.Integer() })]), '<a><id>2</id></a>', { id: 2 }],
  ['an open map', Type.Record(Type.String(), Type.Integer()), '<a><entry key="1_2">3</entry></a>', { '1_2': 3 }],
  ['a map with an `item`', Type.Record(Type.String(), Type.Integer()), '<a><item>3</item></a>', { item: 3 }],
  ['a free leaf', Type.Unknown(), '<a>5</a>', '5'],
  ['a free nothing', Type.Unknown(), '<a/>', ''],
  ['a free list', Type.Unknown(), '<a><item>5</item></a>', ['5']],
  [
    'a free object',
    Type.Unknown(),
    '<a><b>5</b><c><item/></c><d>1</d><d>2</d></a>',
    { b: '5', c: [''], d: ['1', '2'] },
  ],
])('%s is read', (_, schema, xml, value) => {
  expect(fromXml(Type.Object({ a: schema }), xml)).toStrictEqual({ a: value })
})

test.each<[string, TSchema, string, string]>([
  ['nothing for an integer', Type.Integer(), '<a/>', 'parameter_invalid'],
  ['nothing for a boolean', Type.Boolean(), '<a/>', 'parameter_invalid'],
  ['a space before an integer', Type.Integer(), '<a> 5</a>', 'parameter_invalid'],
  ['a fraction for an integer', Type.Integer(), '<a>1.5</a>', 'parameter_invalid'],
  ['a lost digit', Type.Integer(), '<a>9007199254740993</a>', 'parameter_invalid'],
  ['a number out of this world', Type.Number(), '<a>1e400</a>', 'parameter_invalid'],
  ['a word for a boolean', Type.Boolean(), '<a>yes</a>', 'parameter_invalid'],
  ['elements for a text', Type.String(), '<a><b>x</b></a>', 'parameter_invalid'],
  ['siblings for a text', Type.String(), '<a>x</a><a>y</a>', 'parameter_invalid'],
  ['text for an object', Type.Object({}), '<a>x</a>', 'parameter_invalid'],
  ['items for an object', Type.Object({}), '<a><item>x</item></a>', 'parameter_invalid'],
])('%s is refused', (_, schema, xml, reason) => {
  expect(refusal(() => fromXml(Type.Object({ a: schema }), xml))).toMatchObject({ reason, details: { path: 'a' } })
})

test.each([
  ['<a b="5">1</a>', 'a.@b'],
  ['<a><item>1</item><item b="5">2</item></a>', 'a[1].@b'],
  ['<entry key="a" b="5">1</entry>', 'a.@b'],
  ['<a key="5">1</a>', 'a.@key'],
])('an attribute is refused: %s', (xml, path) => {
  const schema = Type.Object({ a: Type.Unknown() })
  expect(refusal(() => fromXml(schema, xml))).toMatchObject({ reason: 'member_unknown', details: { path } })
})

test('a root list is read from items', () => {
  expect(fromXml(Ids, '<item>5</item><item>6</item>')).toEqual([5, 6])
})

test('names of prototype members do not reach a prototype', () => {
  const xml = '<constructor><prototype><admin>1</admin></prototype></constructor>'
  for (const schema of [Type.Unknown(), Type.Record(Type.String(), Type.Unknown()), Type.Object({})]) {
    expect(Object.getPrototypeOf(fromXml(schema, xml))).toBe(Object.prototype)
    expect({}).not.toHaveProperty('admin')
    expect(refusal(() => fromXml(schema, '<__proto__><admin>1</admin></__proto__>'))).toMatchObject({
      reason: 'member_unknown',
      details: { path: '__proto__' },
    })
  }
})

const isNothing = (value: unknown) =>
  value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
/** A schema with matching values. Absent and null look alike in XML, so nullable values are never empty. */
interface Sample {
  schema: TSchema
  values: fc.Arbitrary<unknown>
}
const sample = (schema: TSchema, values: fc.Arbitrary<unknown>): Sample => ({ schema, values })
const text = fc
  .string({ unit: 'binary' })
  .filter((each) => !/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(each))
const name = fc
  .oneof(text, fc.constantFrom('item', 'entry', 'text', 'constructor', '102_3'))
  .filter((each) => each !== '__proto__')
/** TypeBox takes inherited members such as `valueOf` for sent ones, and no schema of a route declares them. */
const declaredName = name.filter((each) => each === 'constructor' || !(each in {}))
const { any } = fc.letrec<{
  any: Sample
  leaf: Sample
  array: Sample
  map: Sample
  object: Sample
  nullable: Sample
}>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('leaf'),
    tie('array'),
    tie('map'),
    tie('object'),
    tie('nullable'),
  ),
  leaf: fc.constantFrom(
    sample(Type.Integer(), fc.maxSafeInteger()),
    sample(
      Type.Number(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
    ),
    sample(Type.Boolean(), fc.boolean()),
    sample(Type.String(), text),
    sample(Type.Enum(['a', 'b', 3]), fc.constantFrom('a', 'b', 3)),
    sample(Type.Union([Type.Literal(1), Type.Null()]), fc.constantFrom(1, null)),
    sample(Type.Unknown(), text),
  ),
  array: tie('any').map(({ schema, values }) => sample(Type.Array(schema), fc.array(values, { maxLength: 4 }))),
  map: tie('any').map(({ schema, values }) =>
    sample(
      Type.Record(Type.String(), schema),
      fc.dictionary(
        name.filter((each) => !/[\n\r\u2028\u2029]/.test(each)),
        values,
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  ),
  object: fc.dictionary(declaredName, tie('any'), { maxKeys: 4, noNullPrototype: true }).map((members) => {
    const schemas = Object.entries(members).map(([each, { schema }]) => [each, Type.Optional(schema)])
    const values = Object.fromEntries(Object.entries(members).map(([each, member]) => [each, member.values]))
    return sample(
      Type.Object(Object.fromEntries(schemas)),
      fc.record(values, { requiredKeys: [], noNullPrototype: true }),
    )
  }),
  nullable: tie('any').map(({ schema, values }) =>
    sample(Type.Union([schema, Type.Null()]), fc.option(values.map((each) => (isNothing(each) ? null : each)))),
  ),
}))

test('a value that is written is read back unchanged', () => {
  const cases = any.chain(({ schema, values }) => values.map((value) => ({ schema, value })))
  fc.assert(
    fc.property(cases, ({ schema, value }) => {
      expect(readInput(schema, parseXml(writeXml(value)), 'xml')).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test('JSON is read back unchanged', () => {
  const cases = any.chain(({ schema, values }) => values.map((value) => ({ schema, value })))
  fc.assert(
    fc.property(cases, ({ schema, value }) => {
      expect(readInput(schema, parseStrictJson(JSON.stringify(value)), 'json')).toEqual(value)
    }),
    { numRuns: 300 },
  )
})
