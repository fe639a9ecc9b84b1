import { describe, expect, test } from 'vitest'
import { errorMessage, getMessage, languages, selectCatalogue } from './catalogue.ts'
import { english } from './english.ts'
import { argumentNames } from './format-message.ts'
import { german } from './german.ts'

type Messages = Readonly<Record<string, string>>

/** Texts that are the same in German: names of protocols and members, and words that both languages share. */
const SAME_IN_GERMAN = ['transition_missing', 'mail.svn_commit.subject']

const PARTS = ['reasons', 'causes', 'texts'] as const
const entries = PARTS.flatMap((part) => {
  const own: Messages = german[part]
  const source: Messages = english[part]
  return Object.entries(source).map(([name, message]) => ({ name, message, translated: own[name] ?? '' }))
})

describe('German', () => {
  test('has every message of English, and no other', () => {
    for (const part of PARTS)
      expect(Object.keys(german[part]).toSorted()).toEqual(Object.keys(english[part]).toSorted())
  })

  test('uses the arguments of English', () => {
    const differing = entries.filter(
      ({ message, translated }) =>
        argumentNames('en', message).toSorted().join() !== argumentNames('de', translated).toSorted().join(),
    )
    expect(differing.map(({ name }) => name)).toEqual([])
  })

  test('is translated', () => {
    const same = entries.filter(({ message, translated }) => message === translated)
    expect(same.map(({ name }) => name).toSorted()).toEqual(SAME_IN_GERMAN.toSorted())
  })

  test('is chosen by its tag or region, and has its own plurals and phrases', () => {
    expect(languages()).toEqual(['en', 'de'])
    expect(selectCatalogue(['fr', 'de-CH', 'en'])).toBe(german)
    const range = { path: 'limit', allowed: { minimum: 0, maximum: 50 } }
    expect(errorMessage(german, 'parameter_out_of_range', range)).toBe(
      '`limit` liegt außerhalb des erlaubten Bereichs: von 0 bis 50.',
    )
    const subjects = [1, 1200].map((count) =>
      getMessage(german, 'notice.digest.subject', { count, platform: 'Waypost' }),
    )
    expect(subjects).toEqual(['1 Änderung auf Waypost', '1.200 Änderungen auf Waypost'])
  })
})
