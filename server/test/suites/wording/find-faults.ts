import { Visitor } from 'rolldown/utils'
import { parseSync } from 'vite'
import { type BannedWord, IDENTIFIER_WORDS, PERSON_WORDS, RIDDLE_OPENERS } from './banned-words.ts'

const PERSON = pattern(PERSON_WORDS, (words) => `\\b(?:${words})\\b`)
const OPENER = pattern(RIDDLE_OPENERS, (words) => `^(?:${words})\\b`)
const SENTENCE_OPENER = pattern(
  RIDDLE_OPENERS,
  (words) => `(?<=(?:^|[.:!?]\\s+|\\|\\s+|[-*]\\s+))(?:${words})\\b[^.?!|]*[.?!|]?`,
  'g',
)

/** Banned words of a TypeScript file: in comments, in prose inside strings, in test names and in identifiers. */
export function findCodeFaults(file: string, text: string): string[] {
  const { program, comments } = parseSync(file, text)
  const faults: string[] = []
  const report = (position: number, found: string[]) =>
    faults.push(...found.map((fault) => `${file}:${lineAt(text, position)}: ${fault}`))
  for (const { value, start } of joinLines(text, comments))
    report(start, [...personFaults(value), ...openerFaults(value)])
  new Visitor({
    Identifier: ({ name, start }) => report(start, identifierFaults(name)),
    JSXText: ({ value, start }) => report(start, personFaults(value)),
    Literal: ({ value, start }) => report(start, typeof value === 'string' ? personFaults(value) : []),
    TemplateElement: ({ value, start }) => report(start, personFaults(value.raw)),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'test') return
      if (first?.type === 'Literal' && typeof first.value === 'string')
        report(first.start, openerFaults(first.value.replace(/^[A-Z]\d\d /, '')))
    },
  }).visit(program)
  return faults
}

/** Banned words of a Markdown file. Code blocks are code, and headings may ask without a question mark. */
export function findProseFaults(file: string, text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|^#.*$/gm, (code) => code.replaceAll(/[^\n]/g, ' '))
  const openers = [...prose.matchAll(new RegExp(SENTENCE_OPENER, 'gm'))].filter(([found]) => !found.endsWith('?'))
  const people = [...prose.matchAll(new RegExp(PERSON, 'gi'))]
  return [...openers, ...people].map(({ 0: found, index }) => `${file}:${lineAt(text, index)}: "${found.slice(0, 60)}"`)
}

/** Faults of the subject line of a commit: its form, and banned words. */
export function findSubjectFaults(subject: string): string[] {
  const form = /^[a-z][a-z0-9./ -]*: [A-Z].*\.$/.test(subject) ? [] : ['not "area: Imperative sentence."']
  return [...form, ...personFaults(subject), ...openerFaults(subject.replace(/^[^:]*: /, ''))].map(
    (fault) => `${subject}: ${fault}`,
  )
}

function personFaults(text: string): string[] {
  return [...text.matchAll(new RegExp(PERSON, 'gi'))].map(([found]) => describeFault(found, PERSON_WORDS))
}

/** Only the first sentence of a text can be an opener; a question is none. */
function openerFaults(text: string): string[] {
  const first = /^[^.?!]*[.?!]?/.exec(text.replace(/^[\s*]+/, ''))?.[0] ?? ''
  const found = new RegExp(OPENER, 'i').exec(first)?.[0]
  return found === undefined || first.endsWith('?') ? [] : [describeFault(found, RIDDLE_OPENERS)]
}

function identifierFaults(name: string): string[] {
  const words = name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())
  return IDENTIFIER_WORDS.filter(({ word }) => words.includes(word)).map(({ word }) =>
    describeFault(word, IDENTIFIER_WORDS),
  )
}

function describeFault(found: string, words: readonly BannedWord[]): string {
  const banned = words.find(({ word }) => word.toLowerCase() === found.toLowerCase())
  return `"${found}" (${banned?.reason})`
}

interface Comment {
  readonly type: string
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Consecutive `//` lines are one comment. */
function joinLines(text: string, comments: readonly Comment[]): { value: string; start: number }[] {
  const joined: { type: string; value: string; start: number; end: number }[] = []
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1)
    if (type === 'Line' && last?.type === 'Line' && /^\s*$/.test(text.slice(last.end, start))) {
      last.value += ` ${value}`
      last.end = end
    } else joined.push({ type, value, start, end })
  }
  return joined
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

function pattern(words: readonly BannedWord[], shape: (words: string) => string, flags = ''): RegExp {
  return new RegExp(shape(words.map(({ word }) => word).join('|')), flags)
}
