import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { printQuery } from './print-query.ts'
import type { ComparisonTerm, Expression, LinkTerm, PlacedLiteral, Query, Searchable, SelectSource } from './syntax.ts'

test('a query survives printing and parsing unchanged', () => {
  fc.assert(
    fc.property(QUERIES, (query) => {
      const { terms: _, ...again } = parseQuery(printQuery(query))
      const { terms: __, ...given } = query
      expect(unplaced(again)).toEqual(unplaced(given))
    }),
    { numRuns: 2000 },
  )
})

test('a query is printed with the necessary parentheses only', () => {
  const written = (text: string) => printQuery(parseQuery(text))
  expect(written('((a=1) and (b=2)) or ((c=3))')).toBe('a = 1 AND b = 2 OR c = 3')
  expect(written('(a=1 or b=2) and c=3')).toBe('(a = 1 OR b = 2) AND c = 3')
  expect(written('a=1 or (b=2 or c=3)')).toBe('a = 1 OR (b = 2 OR c = 3)')
})

test('a text is printed on one line', () => {
  const text = 'a"b\'c\\d\r\ne1\u2028'
  const literals: PlacedLiteral[] = [{ kind: 'text', text, position: 0 }]
  const searchable: Searchable = { kind: 'field', name: 'a', position: 0 }
  const where: Expression = {
    kind: 'comparison',
    position: 0,
    searchable,
    comparator: '=',
    comparatorPosition: 0,
    literals,
  }
  const written = printQuery({ isExplained: false, where, orderBy: [], terms: 1 })
  expect(written).toBe(String.raw`a = "a\"b'c\\d\u00000d\u00000ae1` + '\u2028"')
  expect(parseQuery(written).where).toMatchObject({ literals: [{ text }] })
})

/** Removes positions, which differ between texts. */
function unplaced(tree: unknown): unknown {
  const isPlace = (key: string) => key === 'position' || key === 'comparatorPosition'
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (isPlace(key) ? undefined : value)))
}

const position = fc.constant(0)
const texts = fc.string({ unit: fc.constantFrom(' ', ...'a b 1 " \' \\ \r \n \u00a0 é 😀 % ('.split(' ')) })
const integers = fc.integer({ min: -999, max: 999 }).map(String)
const KEYWORDS = ['NOT', 'in', 'IS', 'With', 'ORDER', 'AS', 'and', 'SELECT', 'EXPLAIN', 'NOW', 'FROM', 'between']
const searchables = fc.record<Searchable>({
  kind: fc.constantFrom('field', 'metadata'),
  name: fc.oneof(fc.stringMatching(/^\w+$/), fc.constantFrom(...KEYWORDS)),
  position,
})

const nows = fc.record<Extract<PlacedLiteral, { kind: 'now' }>>(
  {
    kind: fc.constant('now'),
    period: fc.record({ count: fc.integer({ min: -500, max: 500 }), unit: fc.constantFrom('d', 'w', 'm', 'y') }),
    position,
  },
  { requiredKeys: ['kind', 'position'] },
)
const strings = fc.record<Extract<PlacedLiteral, { kind: 'text' }>>({
  kind: fc.constant('text'),
  text: texts,
  position,
})
const literals = fc.oneof<fc.Arbitrary<PlacedLiteral>[]>(
  strings,
  nows,
  fc.record({
    kind: fc.constant('number'),
    text: fc.oneof(
      integers,
      fc.double({ min: -9, max: 9, noNaN: true }).map((each) => each.toFixed(3)),
    ),
    position,
  }),
  fc.record({ kind: fc.constantFrom('myself', 'open'), position }),
)

const comparisons = fc
  .tuple(
    searchables,
    fc.oneof(
      fc.tuple(fc.constantFrom('=', '!=', '<', '<=', '>', '>='), fc.tuple(literals)),
      fc.tuple(fc.constant('BETWEEN'), fc.tuple(literals, literals)),
      fc.tuple(fc.constantFrom('IN', 'NOT IN'), fc.array(literals, { minLength: 1, maxLength: 4 })),
    ),
  )
  .map(
    ([searchable, [comparator, values]]): ComparisonTerm => ({
      kind: 'comparison',
      position: 0,
      searchable,
      comparator,
      comparatorPosition: 0,
      literals: values,
    }),
  )

const { expression: EXPRESSIONS } = fc.letrec<{ expression: Expression; link: LinkTerm }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'expression' },
    comparisons,
    tie('link'),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      position,
      of: fc.array(tie('expression'), { minLength: 2, maxLength: 3, depthIdentifier: 'expression' }),
    }),
    fc.record({ kind: fc.constant('not'), position, of: tie('expression') }),
  ),
  link: linksWith(tie('expression')),
}))

function linksWith(where: fc.Arbitrary<Expression>): fc.Arbitrary<LinkTerm> {
  const plain = { kind: fc.constant('link'), position, isNot: fc.boolean(), isEvery: fc.constant(false) } as const
  const forms = { family: fc.constantFrom('parent', 'children'), linked: fc.constantFrom('linked_to', 'linked_from') }
  const oneEnd = fc.tuple(integers)
  const tracker = fc.record({ name: texts, isNot: fc.boolean(), position })
  const type = fc.record({ name: texts, position })
  const needed: ('kind' | 'position' | 'form' | 'isNot' | 'isEvery')[] = [
    'kind',
    'position',
    'form',
    'isNot',
    'isEvery',
  ]
  return fc.oneof(
    fc.record<LinkTerm>({ ...plain, form: forms.family, tracker, where }, { requiredKeys: needed }),
    fc.record<LinkTerm>({ ...plain, form: forms.linked, tracker, where, type }, { requiredKeys: needed }),
    fc.record<LinkTerm>(
      { ...plain, form: forms.linked, ends: fc.array(integers, { minLength: 1, maxLength: 3 }), type },
      { requiredKeys: needed },
    ),
    fc.record<LinkTerm>(
      { ...plain, form: fc.constantFrom('covered', 'covering'), ends: oneEnd },
      { requiredKeys: needed },
    ),
    fc.record<LinkTerm>({
      kind: plain.kind,
      position,
      form: fc.oneof(forms.linked, fc.constant<'children'>('children')),
      isNot: fc.constant(false),
      isEvery: fc.constant(true),
      where,
    }),
  )
}

const names = fc.array(fc.record({ text: texts, position }), { minLength: 1, maxLength: 3 })
const projects = fc.record<SelectSource>({
  position,
  subject: fc.constantFrom('project', 'project.name', 'project.category'),
  is: fc.oneof(names, fc.constant<'MY_PROJECTS'>('MY_PROJECTS')),
})
const trackers = fc.record<SelectSource>({ position, subject: fc.constant('tracker.name'), is: names })
const tail = {
  isExplained: fc.boolean(),
  asOf: fc.record({ position, instant: fc.oneof(strings, nows) }),
  orderBy: fc.array(fc.record({ position, by: searchables, isDescending: fc.boolean() }), { maxLength: 3 }),
  terms: fc.constant(0),
}
const selects = fc.record({
  position,
  columns: fc.array(searchables, { minLength: 1, maxLength: 3 }),
  sources: fc.oneof(fc.tuple(projects), fc.tuple(trackers), fc.tuple(projects, trackers), fc.tuple(trackers, projects)),
})
const QUERIES = fc.oneof(
  fc.record<Query>({ ...tail, where: EXPRESSIONS }, { requiredKeys: ['isExplained', 'orderBy', 'terms'] }),
  fc.record<Query>(
    { ...tail, where: EXPRESSIONS, select: selects },
    { requiredKeys: ['isExplained', 'orderBy', 'terms', 'where', 'select'] },
  ),
)
