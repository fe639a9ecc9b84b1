import { createHash } from 'node:crypto'
import { parseSync } from 'vite'
import { isRecord } from '../../../src/platform/wire/schema-shape.ts'

/** One small fault in a source file. All faults of a file are compiled in, and `switch.ts` activates one at a time. */
export interface Mutant {
  /** File, digest of the file, and position in its list: the same as long as the file is. */
  readonly id: string
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly before: string
  readonly after: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
}

/** Each occurrence in the text of a `sql` template is a mutant of its own. */
const SQL_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/\band\b/g, 'or'],
  [/\bor\b(?! replace)/g, 'and'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not |if )\bexists\b(?= ?\()/g, 'not exists'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/ <> /g, ' = '],
  [/ = (?!any|all)/g, ' <> '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/(?<!not )\bin \(/g, 'not in ('],
  [/^true$/g, 'false'],
  [/^false$/g, 'true'],
  [/\bunion all\b/g, 'except'],
]

/** Calls without which a query or list is longer. */
const NARROWING = new Set(['where', 'filter', 'limit'])

/** The source with every selected fault behind a switch, and the list of all faults that it could have. */
export function mutate(
  source: string,
  file: string,
  isSelected: (id: string) => boolean = () => true,
): { code: string; mutants: Mutant[] } {
  const { program } = parseSync(file, source, { lang: 'ts', sourceType: 'module' })
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const mutants: Mutant[] = []
  let depth = 0

  const add = (node: Node, kind: string, after: string, before = source.slice(node.start, node.end)) => {
    const id = `${file}#${digest}#${mutants.length}`
    const line = source.slice(0, node.start).split('\n').length
    mutants.push({ id, file, line, kind, before: brief(before), after: brief(after) })
    return isSelected(id) ? `waypostMutants.is(${JSON.stringify(id)})` : undefined
  }
  const raw = (node: Node) => source.slice(node.start, node.end)

  const render = (node: Node): string => {
    if (node.type.startsWith('TS') && !isNode(node['expression'])) return raw(node)
    if (node.type === 'ImportDeclaration' || node['shorthand'] === true) return raw(node)
    const isFunction = /Function(?:Declaration|Expression)$/.test(node.type)
    if (isFunction) depth++
    const inner = renderChildren(node)
    if (isFunction) depth--
    return depth === 0 ? inner : plant(node, inner)
  }

  const renderChildren = (node: Node): string => {
    let text = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      if (child.start < at) continue // Shares its text with the one before.
      const isTest = node.type === 'IfStatement' && child === node['test'] && depth > 0
      text += source.slice(at, child.start) + (isTest ? plantTest(child, render(child)) : render(child))
      at = child.end
    }
    return text + source.slice(at, node.end)
  }

  /** Evaluated code of one expression or statement, with the switches for its faults around it. */
  const plant = (node: Node, inner: string): string => {
    const choices: { on: string; text: string }[] = []
    const offer = (kind: string, text: string) => {
      const on = add(node, kind, text)
      if (on !== undefined) choices.push({ on, text })
    }
    const { type } = node
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const [left, right, operator] = [node['left'], node['right'], String(node['operator'])]
      const opposite = OPPOSITES[operator]
      if (isNode(left) && isNode(right) && opposite !== undefined)
        offer('operator', `(${raw(left)}) ${opposite} (${raw(right)})`)
    } else if (type === 'UnaryExpression' && node['operator'] === '!' && isNode(node['argument']))
      offer('negation', `Boolean(${raw(node['argument'])})`)
    else if (type === 'Literal' && typeof node['value'] === 'boolean') offer('boolean', String(!node['value']))
    else if (type === 'TaggedTemplateExpression' && isNode(node['tag']) && raw(node['tag']) === 'sql')
      for (const [kind, text] of sqlFaults(node)) offer(kind, text)
    else if (type === 'ConditionalExpression' && isNode(node['consequent']) && isNode(node['alternate'])) {
      offer('condition', raw(node['consequent']))
      offer('condition', raw(node['alternate']))
    } else if (type === 'ExpressionStatement' && isCall(node['expression'])) {
      const on = add(node, 'removed call', '')
      // The outer block keeps an `else` after this statement with its own `if`.
      return on === undefined ? inner : `{ if (!${on}) { ${inner} } }`
    } else if (type === 'ThrowStatement') {
      const on = add(node, 'removed throw', '')
      return on === undefined ? inner : `{ if (!${on}) { ${inner} } }`
    } else if (type === 'CallExpression') return plantCall(node, inner)
    return choices.reduce((text, { on, text: other }) => `(${on} ? (${other}) : (${text}))`, inner)
  }

  const plantTest = (test: Node, inner: string): string => {
    const [always, never] = [add(test, 'condition', 'true'), add(test, 'condition', 'false')]
    const positive = always === undefined ? '' : `${always} || `
    const negative = never === undefined ? '' : `!${never} && `
    return positive + negative === '' ? inner : `${positive}${negative}(${inner})`
  }

  const plantCall = (node: Node, inner: string): string => {
    const { callee } = node
    if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee['object'])) return inner
    const name = isNode(callee['property']) ? raw(callee['property']) : ''
    const whole = raw(node)
    if (/\?\.|\bawait\b|\byield\b/.test(whole)) return inner
    const list = raw(callee['object'])
    if (name === 'some' || name === 'every') {
      const other = `${list}.${name === 'some' ? 'every' : 'some'}${whole.slice(callee.end - node.start)}`
      const on = add(node, 'quantifier', other)
      return on === undefined ? inner : `(${on} ? (${other}) : (${inner}))`
    }
    if (!NARROWING.has(name)) return inner
    const on = add(node, `removed ${name}`, list)
    return on === undefined ? inner : `(${on} ? (${list}) : (${inner}))`
  }

  const sqlFaults = (node: Node): [string, string][] => {
    const { quasi } = node
    const parts = isNode(quasi) && Array.isArray(quasi['quasis']) ? quasi['quasis'].filter(isNode) : []
    return parts.flatMap((part) =>
      SQL_FAULTS.flatMap(([pattern, replacement]) =>
        [...textOf(part).matchAll(pattern)].map(({ index, 0: found }): [string, string] => {
          const at = raw(part).indexOf(textOf(part)) + index + part.start - node.start
          const text = raw(node)
          return [
            `sql ${found.trim()} → ${replacement.trim()}`,
            text.slice(0, at) + replacement + text.slice(at + found.length),
          ]
        }),
      ),
    )
  }

  const code = render(toNode(program))
  return { code: source.slice(0, toNode(program).start) + code, mutants }
}

function textOf(part: Node): string {
  return isRecord(part['value']) ? String(part['value']['raw']) : ''
}

function isCall(node: unknown): boolean {
  return (
    isNode(node) && (node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isCall(node['argument'])))
  )
}

function childrenOf(node: Node): Node[] {
  const skipped = new Set(SKIPPED[node.type])
  const found = Object.entries(node).flatMap(([name, value]) => {
    if (skipped.has(name)) return []
    return (Array.isArray(value) ? value : [value]).filter(isNode)
  })
  return found.toSorted((one, other) => one.start - other.start || other.end - one.end)
}

/** Places where an expression cannot stand, or must keep its form. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  AssignmentExpression: ['left'],
  UpdateExpression: ['argument'],
  MemberExpression: ['property'],
  Property: ['key'],
  PropertyDefinition: ['key'],
  MethodDefinition: ['key'],
  ForInStatement: ['left'],
  ForOfStatement: ['left'],
  ForStatement: ['test', 'update'],
  WhileStatement: ['test'],
  DoWhileStatement: ['test'],
  ChainExpression: ['expression'],
  TaggedTemplateExpression: ['tag'],
  ImportExpression: ['source'],
}

function isNode(value: unknown): value is Node {
  return isRecord(value) && typeof value['type'] === 'string' && typeof value['start'] === 'number'
}

function toNode(value: unknown): Node {
  if (!isNode(value)) throw new Error('The parser gave no tree.')
  return value
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 157)}…` : line
}
