import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linkRel, safeUrl } from './safe-url.ts'

describe('a URL that a text may link to', () => {
  test.each([
    'https://a.example',
    'HTTP://a.example/b c',
    'mailto:uma@waypost.example',
    '/',
    '/a//b',
    '/a?b#c',
    '#',
    '#a',
  ])('is %s', (url) => {
    expect(safeUrl(url)).toBe(url)
  })

  test.each(['', ' ', 'a', 'a/b', './a', '?a', '//a', '/\\a', '\\a', '/\t/a', 'http:a', 'https:/a', 'javascript:a'])(
    'is not %j',
    (url) => {
      expect(safeUrl(url)).toBeUndefined()
    },
  )

  test('is parsed as a browser does', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '\t',
      '\n',
      ' ',
      '#',
      ':',
      'a',
      'http',
      'https',
      'mailto',
      'javascript',
      '@',
      '.',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const url = safeUrl(pieces.join(''))
        if (url === undefined || !URL.canParse(url, 'https://waypost.example')) return
        const { protocol, host } = new URL(url, 'https://waypost.example')
        expect(['http:', 'https:', 'mailto:']).toContain(protocol)
        expect(host === 'waypost.example' && linkRel(url) === '').toBe(/^[/#]/.test(url))
      }),
      { numRuns: 5000 },
    )
  })
})
