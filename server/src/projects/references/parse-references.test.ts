import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { referenceArguments, parseReferences } from './parse-references.ts'

const one = (text: string) => {
  const [found, ...more] = parseReferences(text)
  expect(more).toEqual([])
  return found
}

describe('references in a text', () => {
  test.each([
    { text: 'art #2041.', found: { text: 'art #2041', keyword: 'art', project: '', value: '2041', context: '' } },
    { text: 'Bug #orchard:12', found: { text: 'Bug #orchard:12', keyword: 'bug', project: 'orchard', value: '12' } },
    { text: 'art #101:12', found: { project: '101', value: '12' } },
    { text: 'svn #core/318', found: { keyword: 'svn', value: 'core/318' } },
    { text: 'svn #olive-grove:my.repo-1/318', found: { project: 'olive-grove', value: 'my.repo-1/318' } },
    { text: 'closes art #7', found: { text: 'art #7', context: 'closes', keyword: 'art', value: '7' } },
    { text: 'Fixed art #7', found: { context: 'Fixed' } },
    { text: 'see art #2041', found: { text: 'art #2041', context: '' } },
    { text: '(art #7)', found: { value: '7' } },
    { text: 'art\n#7', found: { text: 'art\n#7', value: '7' } },
    { text: 'art #orchard: 7', found: { text: 'art #orchard', project: '', value: 'orchard' } },
    { text: 'art #a-b', found: { text: 'art #a', value: 'a' } },
    { text: 'wiki #Tom&Uma!', found: { value: 'Tom&Uma' } },
    { text: 'x-art #7', found: { text: 'art #7' } },
    { text: 'çart #7', found: { text: 'art #7' } },
  ])('$text', ({ text, found }) => {
    expect(one(text)).toMatchObject(found)
  })

  test.each([
    'art#12',
    'art  #12',
    'art # 12',
    'art #',
    'art #-',
    'art #12/',
    'art #12//3',
    '#12',
    '- #12',
    'art ##12',
    '',
  ])('%j is not a reference', (text) => {
    expect(parseReferences(text)).toEqual([])
  })

  test('are returned in text order, one by one', () => {
    const found = parseReferences('art #1, art #2; closes bug #3 art #4\nART #1')
    expect(found.map(({ keyword, value, context }) => `${context}/${keyword}/${value}`)).toEqual([
      '/art/1',
      '/art/2',
      'closes/bug/3',
      '/art/4',
      '/art/1',
    ])
  })

  test('are not searched for in overlong runs of characters', () => {
    expect(parseReferences(`art #1 ${'x'.repeat(4999)}`)).toHaveLength(1)
    expect(parseReferences(`art #1 ${'x'.repeat(5000)}`)).toEqual([])
    expect(parseReferences(`art #1 ${'x y '.repeat(5000)}`)).toHaveLength(1)
  })

  const word = fc.stringMatching(/^\w{1,12}$/)
  const segment = fc.stringMatching(/^[\w&.-]{1,8}$/)
  const value = fc
    .tuple(fc.array(segment, { maxLength: 3 }), fc.stringMatching(/^[\w&]{1,8}$/))
    .map(([before, last]) => [...before, last].join('/'))
  const project = fc.option(fc.stringMatching(/^[a-z0-9][a-z0-9-]{2,9}$/), { nil: '' })
  const around = fc.constantFrom('', ' ', '. ', ', ', '\n', ' (', ') ', '; ', ' "', '! ')

  test('are found at every position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ word, project, value }), { minLength: 1, maxLength: 5 }),
        around,
        (put, between) => {
          const written = put.map((each) => `${each.word} #${each.project && `${each.project}:`}${each.value}`)
          const separator = between === '' ? ' | ' : `${between}| `
          const found = parseReferences(written.join(separator))
          expect(found.map(({ text }) => text)).toEqual(written)
          expect(
            found.map(({ keyword, project: of, value: named }) => ({ word: keyword, project: of, value: named })),
          ).toEqual(put.map((each) => ({ ...each, word: each.word.toLowerCase() })))
        },
      ),
    )
  })

  test('are returned as written, in order, and parse the same on their own', () => {
    const texts = fc.array(
      fc.oneof(
        fc.constantFrom('art', 'closes', ' ', '#', ':', '/', '.', '&', '-', '\n', 'orchard', '12', 'é', '💡'),
        word,
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('')
        let at = 0
        for (const reference of parseReferences(text)) {
          expect(reference.at).toBeGreaterThanOrEqual(at)
          at = reference.at + reference.text.length
          expect(text.slice(reference.at, at)).toBe(reference.text)
          expect(text.slice(at, at + 1)).not.toMatch(/[\w&/]/)
          expect(reference.keyword).toMatch(/^[\da-z_]+$/)
          expect(referenceArguments(reference).at(-1)).toMatch(/^[\w&]+$/)
          expect(one(reference.text)).toEqual({ ...reference, at: 0, context: '' })
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('are found in linear time', () => {
    const hostile = [
      'a '.repeat(200_000),
      'art #a/'.repeat(60_000),
      `${'w'.repeat(4998)} `.repeat(80),
      `art #${'a/'.repeat(2490)} `.repeat(80),
    ]
    for (const text of hostile) {
      const start = performance.now()
      parseReferences(text)
      expect(performance.now() - start).toBeLessThan(5000)
    }
  })
})
