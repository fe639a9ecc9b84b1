import { describe, expect, test } from 'vitest'
import { compileMessage } from '../../compile-messages.ts'
import { text } from '../board/messages.ts'
import { GERMAN } from './german.ts'
import { joinParts, type MessagePart } from './message-parts.ts'
import { CATALOGUES } from '../../test/catalogues.ts'
import { SAME_IN_GERMAN } from '../../test/same-in-german.ts'

const format = (message: string, placeholders: Record<string, string | number>, locale = 'en') =>
  joinParts(compileMessage(message), placeholders, locale)

describe('a text of the pages', () => {
  test('has the plural form of its language', () => {
    const cards = '{count, plural, one {# card} other {# cards}} of {name}'
    expect([0, 1, 2, 1234].map((count) => format(cards, { count, name: 'Ada' }))).toEqual([
      '0 cards of Ada',
      '1 card of Ada',
      '2 cards of Ada',
      '1,234 cards of Ada',
    ])
    const files = '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}'
    expect([1, 2, 5, 1.5].map((count) => format(files, { count }, 'pl'))).toEqual([
      '1 plik',
      '2 pliki',
      '5 plików',
      '1,5 pliku',
    ])
  })

  test('prefers an exact number, and chooses by a word', () => {
    expect(format('{count, plural, =0 {none} one {one} other {#}}', { count: 0 })).toBe('none')
    expect(format('{kind, select, file {a file} other {{kind}}}', { kind: 'file' })).toBe('a file')
    expect(format('{kind, select, file {a file} other {{kind}}}', { kind: 'x' })).toBe('x')
  })

  test('that the compiler does not know fails the build', () => {
    expect(() => compileMessage('{on, date}')).toThrow('plain arguments')
    expect(() => compileMessage('{count, plural, offset:1 one {#} other {#}}')).toThrow('offset')
    expect(() => compileMessage('{count, plural, one {#}')).toThrow('MISSING_OTHER_CLAUSE')
  })

  test('is compiled in the catalogues', () => {
    expect(text('board.cards', { count: 1 })).toBe('1 card')
    expect(text('board.cards', { count: 2000 })).toBe('2,000 cards')
    expect(text('board.held', { name: 'Crate', column: 'Open' })).toBe('Picked up Crate, from Open.')
  })
})

describe('German', () => {
  const english: Readonly<Record<string, string>> = Object.assign({}, ...CATALOGUES)
  const german: Readonly<Record<string, string>> = GERMAN

  test('has every text of English, and no other', () => {
    expect(Object.keys(german).toSorted()).toEqual(Object.keys(english).toSorted())
    expect(Object.keys(english).length).toBeGreaterThan(900)
  })

  test('has one meaning for each key: it is one catalogue, where English has several', () => {
    const keys = CATALOGUES.flatMap((catalogue) => Object.keys(catalogue))
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  })

  test('uses the placeholders of English', () => {
    const names = (message: unknown): string[] =>
      Array.isArray(message)
        ? message.flatMap((part: MessagePart) =>
            typeof part === 'string' ? [] : [part[0], ...Object.values(part[2] ?? {}).flatMap(names)],
          )
        : [...String(message).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const differing = Object.keys(english).filter(
      (name) =>
        [...new Set(names(english[name]))].toSorted().join() !== [...new Set(names(german[name]))].toSorted().join(),
    )
    expect(differing).toEqual([])
  })

  test('is translated', () => {
    const same = Object.keys(english).filter((name) => JSON.stringify(english[name]) === JSON.stringify(german[name]))
    expect(same.toSorted()).toEqual(Object.keys(SAME_IN_GERMAN).toSorted())
  })
})
