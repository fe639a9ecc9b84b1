import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type {
  OracleArtifact,
  OracleField,
  FieldKind,
  OracleGroup,
  OracleTracker,
  OracleValue,
  OracleVersion,
  OracleViewer,
  OracleWorld,
} from './model.ts'
import { answerQuestion } from './oracle.ts'
import { printOracleQuery, printTql } from './print-query.ts'
import type {
  OracleComparator,
  OracleComparison,
  CriterionValue,
  OracleLinkTerm,
  OracleLiteral,
  Operator,
  OracleQuery,
  OracleTerm,
} from './query.ts'

// A world of five artifacts that can be checked by hand: the oracle itself must be right first.

let ids = 100
const field = (name: string, type: string, kind: FieldKind, more: Partial<OracleField> = {}): OracleField => ({
  name,
  type,
  kind,
  readers: ['@anonymous'],
  isMultiple: false,
  options: [],
  id: ++ids,
  ...more,
})
const options = (...labels: string[]) => ({ options: labels.map((label, at) => ({ label, id: 301 + at })) })

const BUGS: OracleTracker = {
  id: 7,
  item_name: 'bug',
  access: { full: ['@anonymous'], submitted_by_user: [], submitted_by_group: [], assigned_to_group: [] },
  unused: ['old'],
  title: 'summary',
  status: { field: 'status', open: ['Open', 'In progress'] },
  contributor: 'assigned_to',
  fields: [
    field('summary', 'string', 'text'),
    field('points', 'int', 'number'),
    field('due', 'date', 'day'),
    field('started', 'date', 'instant'),
    field('status', 'sb', 'static', options('Open', 'In progress', 'Closed')),
    field('places', 'cb', 'static', { isMultiple: true, ...options('Barn', 'Yard') }),
    field('assigned_to', 'msb', 'users', { isMultiple: true }),
    field('links', 'art_link', 'links'),
    field('secret', 'string', 'text', { readers: ['leads'] }),
    field('id', 'aid', 'aid'),
    field('submitted_by', 'subby', 'subby'),
    field('last_update', 'lud', 'lud'),
  ],
}
const TASKS: OracleTracker = { ...BUGS, id: 8, item_name: 'task', access: { ...BUGS.access, full: ['@members'] } }

const person = (login: string, id: number, ...groups: OracleGroup[]): OracleViewer => ({
  name: login,
  id,
  login,
  zone: 'UTC',
  groups: ['@anonymous', '@registered', ...groups],
  administers: false,
  isSiteAdmin: false,
})
const TOM = person('tom', 102, '@members')
const GUS = { ...person('gus', 103, 'leads'), zone: 'America/New_York' }
const NOBODY: OracleViewer = {
  name: 'nobody',
  zone: 'UTC',
  groups: ['@anonymous'],
  administers: false,
  isSiteAdmin: false,
}

const text = (value: string): OracleValue => ({ kind: 'text', text: value })
const number = (value: number): OracleValue => ({ kind: 'number', number: value })
const chosen = (...labels: string[]): OracleValue => ({ kind: 'chosen', labels })
const at = (moment: string) => Date.parse(moment)

function artifact(
  id: number,
  more: Partial<OracleVersion>,
  later: readonly Partial<OracleVersion>[] = [],
  tracker = BUGS,
): OracleArtifact {
  const first: OracleVersion = { at: at('2026-01-10T12:00:00Z'), by: 'tom', values: {}, links: [], ...more }
  const versions: [OracleVersion, ...OracleVersion[]] = [first]
  for (const each of later) versions.push({ ...(versions.at(-1) ?? first), ...each })
  return { id, tracker, number: id, rank: 100 - id, versions, isDeleted: false }
}

const WORLD: OracleWorld = {
  trackers: [BUGS, TASKS],
  people: [TOM, GUS],
  linkTypes: ['_is_child', 'blocks'],
  now: at('2026-03-15T10:20:30Z'),
  artifacts: [
    artifact(1, {
      values: {
        summary: text('Engine STOPS at 100%'),
        points: number(5),
        status: chosen('Open'),
        places: chosen('Barn', 'Yard'),
      },
      links: [
        { to: 9, type: '_is_child' },
        { to: 2, type: 'blocks' },
      ],
      comment: { text: 'Seen again' },
    }),
    artifact(2, { values: { summary: text('stop the engine'), status: chosen('Open'), assigned_to: chosen('tom') } }, [
      {
        at: at('2026-02-10T12:00:00Z'),
        by: 'gus',
        values: { summary: text('stop the engine'), status: chosen('Closed') },
      },
    ]),
    artifact(3, {
      values: {
        due: { kind: 'day', day: '2026-03-01' },
        started: { kind: 'instant', at: at('2026-03-01T02:30:40Z') },
        points: number(-3),
        secret: text('engine'),
      },
      comment: { text: 'only for leads', groups: ['leads'] },
    }),
    artifact(4, { values: { summary: text('Hidden'), points: number(8) }, restricted_to: ['leads'] }),
    artifact(
      9,
      { values: { summary: text('A task'), status: chosen('Open') }, links: [{ to: 4, type: '' }] },
      [],
      TASKS,
    ),
  ],
}

const string = (value: string): OracleLiteral => ({ kind: 'string', text: value })
const compare = (
  subject: string,
  comparator: OracleComparator,
  ...literals: (string | OracleLiteral)[]
): OracleComparison => ({
  kind: 'compare',
  subject,
  comparator,
  literals: literals.map((literal) => (typeof literal === 'string' ? string(literal) : literal)),
})
const link = (form: OracleLinkTerm['form'], more: Partial<OracleLinkTerm> = {}): OracleLinkTerm => ({
  kind: 'link',
  form,
  ...more,
})
const tql = (where: OracleTerm, more: Partial<Extract<OracleQuery, { kind: 'tql' }>> = {}): OracleQuery => ({
  kind: 'tql',
  where,
  ...more,
})

function criterion(name: string, value: CriterionValue, operator?: Operator): OracleQuery {
  return {
    kind: 'criteria',
    place: 'query',
    criteria: [{ field: name, key: name, value, ...(operator && { operator }) }],
  }
}

/** The ids of the result, or the reason of the refusal. */
function ask(query: OracleQuery, viewer: OracleViewer = TOM): readonly number[] | string {
  const found = answerQuestion(WORLD, { tracker: BUGS, viewer, query })
  return 'ids' in found
    ? found.ids
    : found.refusals.map(({ reason, cause }) => `${reason} ${cause ?? ''}`.trim()).join()
}

const now = (count: number, unit: 'd' | 'w'): OracleLiteral => ({ kind: 'now', count, unit })
const MYSELF: OracleLiteral = { kind: 'myself' }
const OPEN: OracleLiteral = { kind: 'open' }

describe('criteria', () => {
  test.each<[string, OracleQuery, readonly number[] | string]>([
    ['every word has to occur, whatever its case', criterion('summary', 'engine stop'), [1, 2]],
    ['a phrase is a regular expression', criterion('summary', '/engine stops/'), [1]],
    ['the negation includes what is empty', criterion('summary', '!/engine/'), [3]],
    ['per cent is a letter', criterion('summary', '0%'), [1]],
    ['one of several values', criterion('status', [301, 302]), [1]],
    ['the members of an object', criterion('assigned_to', { id: 102 }), []],
    ['None is skipped, and then nothing is left', criterion('status', 100), [1, 2, 3]],
    ['an unknown id finds nothing', criterion('status', 999), []],
    ['a label', criterion('status', 'closed'), [2]],
    ['neither an id nor a label', criterion('status', 'Opn'), 'value_invalid list_value'],
    ['a range', criterion('points', '3-8'), [1]],
    ['a comparison', criterion('points', '< 5'), [3]],
    ['no constraint', criterion('points', 'many'), [1, 2, 3]],
    ['the day as written', criterion('due', '2026-03-01', '='), [3]],
    ['after the end of the day', criterion('due', '2026-03-01', '>'), []],
    ['a day of the zone', criterion('started', ['2026-03-01', '2026-03-31'], 'between'), [3]],
    ['what is no date is dropped', criterion('due', 'soon', '='), [1, 2, 3]],
    ['not an operator of texts', criterion('summary', 'x', '<'), 'query_operator operator'],
    ['not to be read', criterion('secret', 'engine'), 'query_unknown_key field'],
  ])('%s', (_, query, expected) => {
    expect(ask(query)).toEqual(expected)
  })

  test('a day of an instant is one in the time zone of the viewer', () => {
    expect(ask(criterion('started', '2026-03-01', '='), TOM)).toEqual([3])
    expect(ask(criterion('started', '2026-02-28', '='), GUS)).toEqual([3])
  })
})

describe('comparisons', () => {
  test.each<[string, OracleTerm, readonly number[] | string]>([
    ['= is contains', compare('summary', '=', 'ENGINE'), [1, 2]],
    ['the whole value is one text', compare('summary', '=', 'engine stop'), [1]],
    ['!= includes the empty ones', compare('summary', '!=', 'engine'), [3]],
    ['= "" is empty', compare('summary', '=', ''), [3]],
    ['texts have no order', compare('summary', '<', 'x'), 'query_operator operator'],
    ['a negative number as a text', compare('points', '=', '-3'), [3]],
    ['different or empty', compare('points', '!=', '5'), [2, 3]],
    ['from three to eight', compare('points', 'BETWEEN', '3', '8'), [1]],
    ['nothing is not less than something', compare('points', '<', ''), 'query_operator empty_string'],
    ['due in March', compare('due', 'BETWEEN', '2026-03-01', '2026-03-31'), [3]],
    ['outside the day, or empty', compare('due', '!=', '2026-03-01'), [1, 2]],
    ['a day has no minutes', compare('due', '=', '2026-03-01 14:30'), 'value_invalid date'],
    ['in that minute', compare('started', '=', '2026-03-01 02:30'), [3]],
    ['changed in the last six weeks', compare('last_update', '>=', now(-6, 'w')), [2]],
    ['a label in any case', compare('status', '=', 'CLOSED'), [2]],
    ['none of the chosen values has it', compare('places', '!=', 'Barn'), [2, 3]],
    ['nothing chosen', compare('status', '=', ''), [3]],
    ['unknown', compare('status', '=', 'Opn'), 'reference_unknown list_value'],
    ['the known ones are used', compare('status', 'IN', 'Opn', 'Closed'), [2]],
    ['all are unknown', compare('status', 'IN', 'Opn', 'Clsd'), 'reference_unknown list_value'],
    ['empty inside', compare('status', 'IN', 'Open', ''), 'query_operator empty_string'],
    ['mine', compare('submitted_by', '=', MYSELF), [1, 2, 3]],
    ['somebody else', compare('submitted_by', 'NOT IN', MYSELF), []],
    ['nobody assigned', compare('assigned_to', '=', ''), [1, 2, 3]],
    ['open', compare('@status', '=', OPEN), [1]],
    ['not open, or without a status', compare('@status', '!=', OPEN), [2, 3]],
    ['a comment', compare('@comments', '=', 'seen'), [1]],
    ['no comment that can be read', compare('@comments', '=', ''), [2, 3]],
    ['not to be read', compare('secret', '=', 'engine'), 'query_unknown_key field'],
    ['not known', compare('@nothing', '=', 'x'), 'query_unknown_key metadata'],
  ])('%s', (_, where, expected) => {
    expect(ask(tql(where))).toEqual(expected)
  })

  test('an anonymous viewer is not matched by me', () => {
    expect(ask(tql(compare('submitted_by', '=', MYSELF)), NOBODY)).toBe('query_operator function')
  })

  test('a viewer with more permissions finds more', () => {
    expect(ask(tql(compare('secret', '=', 'engine')), GUS)).toEqual([3])
    expect(ask(tql(compare('@comments', '=', 'leads')), GUS)).toEqual([3])
    expect(ask(tql(compare('points', '=', '8')), GUS)).toEqual([4])
  })
})

describe('links', () => {
  test.each<[string, OracleTerm, readonly number[] | string]>([
    ['has children', link('children'), [1]],
    ['parentless', link('parent', { isNegated: true }), [1, 2, 3]],
    ['blocked by 1', link('from', { ends: [1], type: 'blocks' }), [2]],
    ['linked to what is hidden', link('to', { ends: [4], isNegated: true }), [1, 2, 3]],
    ['in another tracker', link('to', { tracker: { item_name: 'bug', isNot: true } }), [1]],
    [
      'a double negative',
      link('to', { isNegated: true, tracker: { item_name: 'bug', isNot: true } }),
      'query_malformed double_negative',
    ],
    ['an unknown type', link('to', { type: 'fixes' }), 'reference_unknown link_type'],
    ['has an open child', link('children', { where: compare('@status', '=', OPEN) }), [1]],
    ['all that it links to is open', link('to', { isAll: true, where: compare('status', '=', 'Open') }), []],
    ['nothing covers anything', link('covered'), []],
  ])('%s', (_, where, expected) => {
    expect(ask(tql(where))).toEqual(expected)
  })

  test('an invisible link target does not count', () => {
    expect(ask(tql(link('children')), NOBODY)).toEqual([])
    expect(
      ask(tql(link('from', { tracker: { item_name: 'task', isNot: false } })), {
        ...GUS,
        groups: ['leads', '@members', '@anonymous'],
      }),
    ).toEqual([4])
  })
})

describe('order and past', () => {
  test('empty values come last in both directions', () => {
    const all = compare('@id', '>', '0')
    expect(ask(tql(all, { sort: [{ by: 'points' }] }))).toEqual([3, 1, 2])
    expect(ask(tql(all, { sort: [{ by: 'points', direction: 'DESC' }] }))).toEqual([1, 3, 2])
    expect(
      ask(
        tql(all, {
          sort: [
            { by: 'status', direction: 'DESC' },
            { by: '@id', direction: 'DESC' },
          ],
        }),
      ),
    ).toEqual([2, 1, 3])
    expect(ask(tql(all, { sort: [{ by: 'places' }] }))).toBe('query_operator field_type')
    expect(ask(tql(all, { sort: [{ by: 'secret' }] }))).toBe('query_unknown_key field')
    expect(ask({ kind: 'plain', order: 'desc' })).toEqual([3, 2, 1])
  })

  test('conditions test the version of that time', () => {
    const then = (moment: string) => ({ as_of: { written: `"${moment}"`, at: at(moment) } })
    expect(ask(tql(compare('status', '=', 'Open'), then('2026-02-01T00:00:00Z')))).toEqual([1, 2])
    expect(ask(tql(compare('status', '!=', 'Closed'), then('2026-03-01T00:00:00Z')))).toEqual([1, 3])
    expect(ask(tql(compare('@id', '>', '0'), then('2026-01-01T00:00:00Z')))).toEqual([])
    expect(ask(tql(compare('old', '=', ''), then('2026-02-01T00:00:00Z')))).toEqual([1, 2, 3])
    expect(ask(tql(compare('old', '=', '')))).toBe('query_unknown_key field')
  })
})

test('queries are printed as the grammar requires', () => {
  const either: OracleTerm = { kind: 'or', of: [compare('a', '=', 'x"y'), compare('b', 'IN', "it's", '\\')] }
  const where: OracleTerm = {
    kind: 'and',
    of: [either, { kind: 'not', of: link('to', { ends: [1, 2], type: 'blocks' }) }],
  }
  expect(printTql({ where, sort: [{ by: 'a' }, { by: '@id', direction: 'DESC' }] })).toBe(
    String.raw`(a = 'x"y' OR b IN ("it's", "\\")) AND NOT (IS LINKED TO ARTIFACT IN (1, 2) WITH TYPE "blocks") ORDER BY a, @id DESC`,
  )
  expect(printTql({ where: link('children', { isAll: true, where: compare('due', '<', now(-2, 'w')) }) })).toBe(
    'WITH ALL CHILDREN WHERE (due < NOW() - 2w)',
  )
  expect(printTql({ where: compare('a', 'NOT IN', 'é', '"'), hand: 31 })).toBe(
    '((a not \t\u00a0\nin ("\\u0000e9"\r\n,\'"\' ,)))',
  )
  expect(printOracleQuery(criterion('due', '2026-03-01', '>'))).toEqual({
    parameters: [['query', '{"due":{"operator":">","value":"2026-03-01"}}']],
  })
})

test('the oracle imports nothing of the server', () => {
  const runners = ['run.ts', 'prepare-project.ts', 'truth.test.ts']
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !runners.includes(file))
  const imports = files.flatMap((file) =>
    [
      ...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(
        /^(?:import|export) .*from '(\.[^']+)'|^\} from '(\.[^']+)'/gm,
      ),
    ].map(([, one, other]) => one ?? other ?? ''),
  )
  expect(imports.length).toBeGreaterThan(30)
  const own = new Set(files.map((file) => `./${file}`))
  // The random generator imports only Node's hash.
  expect(imports.filter((path) => !own.has(path) && path !== '../fuzz/random.ts')).toEqual([])
})
