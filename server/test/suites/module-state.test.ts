import { readFileSync } from 'node:fs'
import { type ESTree, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { parseSync } from 'vite'
import { listTrackedFiles } from '../harness/tracked-files.ts'

// Mutable state of the server is in the context, so that two servers in one process share nothing by accident.

/** Module-level state that is allowed, by file and name, with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  ...allow('caches of computations that depend only on the key', {
    'server/src/artifacts/reading/look-by-rights.ts': ['statements'],
    'server/src/artifacts/reading/look-by-sql.ts': ['statements'],
    'server/src/artifacts/search/match-artifacts.ts': ['statements'],
    'server/src/platform/messages/format-message.ts': ['compiled'],
    'server/src/platform/rich-text/render-text.ts': ['commonmarkToHtml', 'htmlToSafeHtml'],
    'server/src/platform/wire/dates.ts': ['clocks'],
    'server/src/platform/wire/schema-shape.ts': ['shapes', 'checks'],
    'server/src/platform/wire/sparse.ts': ['known'],
    'server/src/platform/wire/stringify.ts': ['compiled'],
    'server/src/accounts/passwords/password.ts': ['dummyHashPromise'],
  }),
  ...allow('keyed by an object of one server or request, and dropped with it', {
    'server/src/platform/database/db.ts': ['pools'],
    'server/src/platform/http/request-state.ts': ['suffixes'],
    'server/src/trackers/binds/bind-of.ts': ['boundListCache'],
    'server/src/trackers/tracker-access.ts': ['accessCache'],
  }),
  ...allow('limits or facts of the machine and the process', {
    'server/src/accounts/passwords/password.ts': ['withHashSlot'],
    'server/src/repositories/disk/run-tool.ts': ['unprivileged'],
    'server/src/platform/operation/failpoint-armed.ts': ['passes'],
  }),
  ...allow('lists of the program, which only tests extend', {
    'server/src/platform/messages/catalogue.ts': ['installed'],
    'server/src/trackers/field-types/field-types.ts': ['byType'],
  }),
  ...allow('configured once, and without state between calls', {
    'server/src/accounts/identity/provider-rules.ts': ['isLoopback'],
    'server/src/accounts/identity/reachable-addresses.ts': ['isNeverProvider'],
    'server/src/platform/http/ssrf-guard.ts': ['isPrivateV4', 'isPrivateV6'],
    'server/src/platform/rich-text/render-commonmark.ts': ['markdown'],
  }),
}

/** Programs: their top level runs once per process and composes it. */
const PROGRAMS = ['server/src/main.ts', 'server/src/commands/seed-loader.ts']

/** Instances of these classes count only if a function changes them, all others always. */
const CHECKED_CLASSES = /^(?:RegExp|URL|Date|Intl\.\w+|AsyncLocalStorage|Map|Set|WeakMap|WeakSet|BlockList)$/
const FACTORY = /^create[A-Z]/
const MUTATING_METHOD = /^(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)(?![a-z])/

test('no module of the server keeps mutable state', () => {
  const sources = listTrackedFiles('server/src').filter((file) => /(?<!\.test)\.ts$/.test(file))
  const found = sources
    .filter((file) => !PROGRAMS.includes(file))
    .flatMap((file) => findModuleState(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`))
  expect(sources.length).toBeGreaterThan(500)
  expect(found.filter((each) => !(each in ALLOWED))).toEqual([])
  expect(Object.keys(ALLOWED).filter((each) => !found.includes(each))).toEqual([])
})

test.each([
  ['let count = 0', 'count'],
  ['export let last: Date | undefined', 'last'],
  ['let [one, other] = [1, 2]', '[one, other]'],
  ['const CACHE = new LRUCache<string, number>({ max: 10 })', 'CACHE'],
  ['const limit = createConcurrencyLimit(2)', 'limit'],
  ['const context = await createContext(config)', 'context'],
  ['const running = new Map<string, number>(); function run() { running.set("one", 1) }', 'running'],
  ['const pools = new WeakMap(); export const open = (db) => pools.set(db, 1)', 'pools'],
  ['const waiting: (() => void)[] = []; class Queue { wait() { waiting.push(() => {}) } }', 'waiting'],
  ['const state = { count: 0 }; function run() { state.count++ }', 'state'],
  ['const state = { count: 0 } satisfies State; function run() { state.count = 1 }', 'state'],
  ['const state: Record<string, number> = {}; function run(key) { state[key] ??= 1 }', 'state'],
  ['const state = { by: {} }; function run(key) { delete state.by[key] }', 'state'],
])('the check finds the state in %s', (source, name) => {
  expect(findModuleState(source)).toEqual([name])
})

test.each([
  'const NAMES = new Set(["one"]); function has(name) { return NAMES.has(name) }',
  'const BLOCKED = new BlockList(); BLOCKED.addSubnet("10.0.0.0", 8)',
  'function create() { let count = 0; const all = new Map(); return () => all.set(count++, 1) }',
  'const SPACES = /\\s*/y; function skip(at) { SPACES.lastIndex = at }',
  'const createRoute = () => new Map()',
  'declare let known: number',
])('the check allows %s', (source) => {
  expect(findModuleState(source)).toEqual([])
})

function allow(reason: string, names: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([file, each]) => each.map((name) => [`${file}: ${name}`, reason])),
  )
}

/** The names of top-level variables that hold mutable state, as far as the file itself shows it. */
function findModuleState(source: string): string[] {
  const { program } = parseSync('module.ts', source)
  const mutated = findMutatedNames(program)
  return program.body.flatMap((statement) => {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (node?.type !== 'VariableDeclaration' || node.declare) return []
    return node.declarations
      .map(({ id, init }) => ({ name: source.slice(id.start, id.typeAnnotation?.start ?? id.end), init }))
      .filter(({ name, init }) => node.kind !== 'const' || mutated.has(name) || (init && isState(init)))
      .map(({ name }) => name)
  })
}

/** Whether an initial value is state by its class, or made by a factory. */
function isState(node: ESTree.Node): boolean {
  if (node.type === 'AwaitExpression') return isState(node.argument)
  if (node.type === 'NewExpression') return !CHECKED_CLASSES.test(memberPath(node.callee))
  return node.type === 'CallExpression' && FACTORY.test(memberPath(node.callee))
}

/** Names of variables whose contents a function changes. Statements at the top level only initialise. */
function findMutatedNames(program: ESTree.Program): ReadonlySet<string> {
  const names = new Set<string>()
  let depth = 0
  const enter = () => void depth++
  const leave = () => void depth--
  const report = (node: ESTree.Node) => {
    const [name = '', ...members] = memberPath(node).split('.')
    // Sticky regular expressions are positioned before each use.
    if (depth > 0 && members.length > 0 && members.at(-1) !== 'lastIndex') names.add(name)
  }
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AssignmentExpression: ({ left }) => report(left),
    UpdateExpression: ({ argument }) => report(argument),
    UnaryExpression({ operator, argument }) {
      if (operator === 'delete') report(argument)
    },
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && MUTATING_METHOD.test(memberPath(callee.property))) report(callee)
    },
  }).visit(program)
  return names
}

/** `a.b` for `a.b`, `a.[]` for `a[b]`; empty for other expressions. */
function memberPath(node: ESTree.Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression') return ''
  return `${memberPath(node.object)}.${node.computed ? '[]' : memberPath(node.property)}`
}
