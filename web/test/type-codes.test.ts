import { globSync, readFileSync } from 'node:fs'
import { Visitor } from 'rolldown/utils'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { ORDINARY_CODES } from '../../server/test/fixtures/ordinary-codes.ts'

const HOME = 'web/src/field-types/'

const files = globSync('web/src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file))
const codes = new Set(files.filter((file) => file.startsWith(HOME)).flatMap(declaredCodes))

test('the codes of field types are declared in their files', () => {
  expect(codes.size).toBeGreaterThan(25)
  expect([...codes]).toEqual(expect.arrayContaining(['string', 'sb', 'art_link', 'fieldset', 'lud']))
})

test('no file outside of web/src/field-types knows a field type by its code', () => {
  const others = files.filter((file) => !file.startsWith(HOME))
  expect(others.length).toBeGreaterThan(200)
  expect(others.flatMap((file) => findTypeCodes(file, readFileSync(file, 'utf8')))).toEqual([])
})

describe('a file that knows a field type by its code is found', () => {
  test.each([
    ["if (field.type === 'text') return 1"],
    ["if ('date' !== element?.type) return 1"],
    ["const fit = fields.filter(({ type }) => type === 'file')"],
    ["switch (field.type) { case 'string': return 1 }"],
    ["const NUMBERS = ['int', 'float']"],
    ["const LISTS = new Set(['sb'])"],
    ["const SORTABLE = 'string text int float'.split(' ')"],
    ['const WIDTHS = { int: 6, float: 6 }'],
    ['const WIDTHS = { sb: 6 }'],
    ["const kind = { '@id': 'aid' }"],
    ["const found = newElement('tbl')"],
    ["const isText = ['text'].includes(field.type)"],
    ["const title = `${type === 'computed' ? 1 : 2}`"],
  ])('%s', (code) => {
    expect(findTypeCodes('planted.ts', `function planted() { ${code} }`)).not.toEqual([])
  })

  test.each([
    ["if (typeof value === 'string') return 1"],
    ["if (token.kind === 'text') return 1"],
    ["const key = ['svn', id, 'file', path]"],
    ["const style = styles['column']"],
    ["const field = { type: 'date', value }"],
    ["type Format = 'text' | 'html'"],
  ])('but not %s', (code) => {
    expect(findTypeCodes('sound.ts', `function sound() { ${code} }`)).toEqual([])
  })
})

function declaredCodes(file: string): string[] {
  const found: string[] = []
  new Visitor({
    VariableDeclarator: ({ init }) => {
      if (init?.type !== 'ObjectExpression') return
      for (const member of init.properties)
        if (member.type === 'Property' && nameOf(member.key) === 'type') found.push(...literal(member.value))
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return found
}

/** Each place where a code is compared, listed or looked up. */
function findTypeCodes(file: string, source: string): string[] {
  const found = new Map<number, string>()
  const report = (nodes: readonly Node[]) => {
    for (const node of nodes)
      found.set(node.start, `${file}:${source.slice(0, node.start).split('\n').length}: ${literal(node).join(' ')}`)
  }
  const isCode = (node: Node) => literal(node).some((value) => codes.has(value))
  new Visitor({
    BinaryExpression: ({ left, right }) => {
      if (isType(left) && isCode(right)) report([right])
      if (isType(right) && isCode(left)) report([left])
    },
    SwitchStatement: ({ discriminant, cases }) => {
      if (isType(discriminant)) report(cases.flatMap(({ test: value }) => (value && isCode(value) ? [value] : [])))
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'MemberExpression' || !given.some(isType)) return
      if (callee.object.type === 'ArrayExpression')
        report(callee.object.elements.flatMap((each) => (each && isCode(each) ? [each] : [])))
    },
    ArrayExpression: ({ elements }) => {
      const present = elements.flatMap((each) => each ?? [])
      if (present.length > 1 && present.every(isCode)) report(present)
    },
    ObjectExpression: ({ properties }) => {
      const keys = properties.flatMap((each) => (each.type === 'Property' ? nameOf(each.key) : []))
      const known = keys.filter((key) => codes.has(key))
      const isMap = known.length > 1 && known.length === keys.length
      for (const key of known) if (isMap || !ORDINARY_CODES.has(key)) report(properties)
    },
    Literal: (node) => {
      if (typeof node.value !== 'string') return
      const words = node.value.split(/[\s,]+/)
      const isDistinct = words.length === 1 && codes.has(node.value) && !ORDINARY_CODES.has(node.value)
      const isList = words.length > 1 && words.every((word) => codes.has(word))
      if (isDistinct || isList) report([node])
    },
  }).visit(parseSync(file, source).program)
  return [...found.values()]
}

interface Node {
  readonly type: string
  readonly start: number
}

/** `type`, `field.type`, `field?.type`. */
function isType(node: unknown): boolean {
  const {
    type,
    name,
    property,
    expression,
  }: { type?: unknown; name?: unknown; property?: unknown; expression?: unknown } =
    typeof node === 'object' && node !== null ? node : {}
  if (type === 'Identifier') return name === 'type'
  if (type === 'ChainExpression') return isType(expression)
  return type === 'MemberExpression' && isType(property)
}

function nameOf(key: unknown): string {
  const { name, value }: { name?: unknown; value?: unknown } = typeof key === 'object' && key !== null ? key : {}
  return typeof name === 'string' ? name : typeof value === 'string' ? value : ''
}

function literal(node: unknown): string[] {
  const { type, value }: { type?: unknown; value?: unknown } = typeof node === 'object' && node !== null ? node : {}
  return type === 'Literal' && typeof value === 'string' ? [value] : []
}
