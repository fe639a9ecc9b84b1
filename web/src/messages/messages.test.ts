import { describe, expect, test } from 'vitest'
import { compileMessage } from '../../compile-messages.ts'
import { text } from '../board/messages.ts'
import { ACCOUNT_MESSAGES } from './account.ts'
import { ACROSS } from './across.ts'
import { ADMINISTRATION } from './administration.ts'
import { ARTIFACTS } from './artifacts.ts'
import { BOARD } from './board.ts'
import { COMMENT_MESSAGES } from './comments.ts'
import { DASHBOARD } from './dashboard.ts'
import { ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'
import { IDENTITY_MESSAGES } from './identity.ts'
import { INBOX } from './inbox.ts'
import { joinParts, type MessagePart } from './message-parts.ts'
import { LINK_TYPE_MESSAGES } from './link-types.ts'
import { NEW_TRACKER } from './new-tracker.ts'
import { PEEK } from './peek.ts'
import { PROJECT_MESSAGES } from './projects.ts'
import { REPOSITORIES } from './repositories.ts'
import { SEARCH } from './search.ts'
import { SHORTCUTS } from './shortcuts.ts'
import { SITE_SETTINGS } from './site-settings.ts'
import { TIME_TRAVEL } from './time-travel.ts'
import { TRACKER_ADMINISTRATION } from './tracker-administration.ts'
import { TRACKER_RULES } from './tracker-rules.ts'
import { TRACKERS } from './trackers.ts'
import { WEBHOOK_MESSAGES } from './webhooks.ts'
import { WORK } from './work.ts'
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
  const catalogues: readonly Readonly<Record<string, string>>[] = [
    ENGLISH,
    ARTIFACTS,
    COMMENT_MESSAGES,
    TRACKERS,
    BOARD,
    DASHBOARD,
    IDENTITY_MESSAGES,
    INBOX,
    LINK_TYPE_MESSAGES,
    NEW_TRACKER,
    PEEK,
    PROJECT_MESSAGES,
    REPOSITORIES,
    TIME_TRAVEL,
    TRACKER_ADMINISTRATION,
    TRACKER_RULES,
    WEBHOOK_MESSAGES,
    WORK,
    ACCOUNT_MESSAGES,
    ADMINISTRATION,
    SITE_SETTINGS,
    SEARCH,
    ACROSS,
    SHORTCUTS,
  ]
  const english: Readonly<Record<string, string>> = Object.assign({}, ...catalogues)
  const german: Readonly<Record<string, string>> = GERMAN

  test('has every text of English, and no other', () => {
    expect(Object.keys(german).toSorted()).toEqual(Object.keys(english).toSorted())
    expect(Object.keys(english).length).toBeGreaterThan(900)
  })

  test('has one meaning for each key: it is one catalogue, where English has several', () => {
    const keys = catalogues.flatMap((catalogue) => Object.keys(catalogue))
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
