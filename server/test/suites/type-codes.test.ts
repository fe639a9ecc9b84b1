import { readFileSync } from 'node:fs'
import { type ESTree, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { parseSync } from 'vite'
import { ORDINARY_CODES } from '../fixtures/ordinary-codes.ts'
import { listTrackedFiles } from '../harness/tracked-files.ts'
import { FIELD_TYPES } from '../../src/trackers/field-types/field-types.ts'

const CODES: ReadonlySet<string> = new Set(FIELD_TYPES.map(({ type }) => type))

/** On the server, `aid` is also a query parameter of addresses of the original system. */
const WORDS: ReadonlySet<string> = new Set([...ORDINARY_CODES, 'aid'])

/** These rooms are below `trackers`: they know no fields, and their `type` is another one. */
const ROOMS_BELOW = /^server\/src\/(?:platform|accounts|projects|files)\//
const FIELD_TYPE_FOLDER = 'server/src/trackers/field-types/'
const GENERATED = ['sdk/src/api.ts']

test('only the folders of the field types know types by their code', () => {
  const sources = listTrackedFiles('server/src', 'sdk/src')
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .filter((file) => !ROOMS_BELOW.test(file) && !file.startsWith(FIELD_TYPE_FOLDER) && !GENERATED.includes(file))
  const uses = sources.flatMap((file) => findTypeCodes(file, readFileSync(file, 'utf8')))
  process.stdout.write(`uses of type codes outside field-types: ${uses.length}, in ${sources.length} files\n`)
  expect(sources.length).toBeGreaterThan(500)
  expect(uses).toEqual([])
})

test.each([
  ["if (element.type === 'perm') {}", 1],
  ["if ('text' !== field?.type) {}", 1],
  ["({ type }) => type === 'date'", 1],
  ["if (kind === 'sb') {}", 1],
  ["switch (element.type) { case 'int': case 'float': }", 2],
  ["const NUMBERS = ['int', 'float']", 1],
  ["const LISTS = new Set(['sb', 'rb'])", 1],
  ["['text'].includes(field.type)", 1],
  ["const isAmount = isOf('int', 'float')", 1],
  ["has('burndown')", 1],
  ["new Map([['art_link', 1]])", 1],
  ["const BLANK = { string: '', text: null, int: 0 }", 1],
  ["sql`where type = 'tbl'`", 1],
  ["if (typeof given === 'string' || format === 'text' || node.kind === 'file') {}", 0],
  ["Type.Enum(['text', 'html', 'commonmark'])", 0],
  ["const field = { name: 'status', type: 'sb' }", 0],
  ["if (bind.type === 'static' && action.type === 'run_job') {}", 0],
])('the check counts the uses in %s', (source, uses) => {
  expect(findTypeCodes('example.ts', source)).toHaveLength(uses)
})

/** Comparisons, cases, lists, tables, arguments and SQL texts that name codes of field types. */
function findTypeCodes(file: string, source: string): string[] {
  const found = new Set<number>()
  const report = ({ start }: { readonly start: number }) => found.add(start)
  const compare = (code: unknown, other: Node, node: Node) => {
    if (isSharp(code) || (isCode(code) && namesType(other))) report(node)
  }
  new Visitor({
    BinaryExpression(node) {
      if (!/^[!=]==?$/.test(node.operator)) return
      compare(stringIn(node.left), node.right, node)
      compare(stringIn(node.right), node.left, node)
    },
    SwitchStatement({ discriminant, cases }) {
      for (const each of cases) if (each.test) compare(stringIn(each.test), discriminant, each)
    },
    ArrayExpression(node) {
      if (isListOfCodes(node.elements)) report(node)
    },
    CallExpression(node) {
      const { callee, arguments: given } = node
      if (isListOfCodes(given)) report(node)
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression') return
      const [first] = given
      if (first && namesType(first) && callee.object.elements.some((each) => isCode(stringIn(each))))
        report(callee.object)
    },
    ObjectExpression(node) {
      const keys = node.properties.map((each) => (each.type === 'Property' ? nameIn(each.key) : undefined))
      const codes = keys.filter(isCode)
      if (codes.length > 1 && codes.length > keys.length / 2) report(node)
    },
    TemplateElement(node) {
      for (const [, quoted] of node.value.raw.matchAll(/'(\w+)'/g)) if (isSharp(quoted)) report(node)
    },
  }).visit(parseSync(file, source).program)
  return [...found].map((start) => `${file}:${source.slice(0, start).split('\n').length}`)
}

type Node = ESTree.Node

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODES.has(value)
}

/** A code that means nothing else. */
function isSharp(value: unknown): boolean {
  return isCode(value) && !WORDS.has(value)
}

function isListOfCodes(nodes: readonly (Node | null)[]): boolean {
  const values = nodes.map(stringIn)
  return values.some(isSharp) || (values.length > 1 && values.every(isCode))
}

function stringIn(node: Node | null): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function nameIn(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : stringIn(node)
}

/** Whether an expression is the type of something: `type`, `field.type`, `element?.type`, `fieldType`. */
function namesType(node: Node): boolean {
  if (node.type === 'ChainExpression') return namesType(node.expression)
  const name = node.type === 'MemberExpression' ? nameIn(node.property) : nameIn(node)
  return name !== undefined && /(?:^|_)type$|Type$/.test(name)
}
