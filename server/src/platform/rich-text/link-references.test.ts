import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectSteadyGrowth } from '../../../test/harness/cpu-time.ts'
import { faultsOfHtml } from '../../../test/harness/safe-html.ts'
import { linkReferences } from './link-references.ts'
import { renderText } from './render-text.ts'

/** Every `x` with a number, and words around an ampersand. */
const find = (text: string) =>
  [...text.matchAll(/x\d|\w+&\w+/g)].map(({ 0: found, index }) => ({
    at: index,
    text: found,
    href: `/?a=1&b=${found}`,
  }))

const linked = (html: string) => linkReferences(html, find)
const a = (text: string) => `<a href="/?a=1&amp;b=${text}" class="cross-reference">${text}</a>`

describe('references in HTML', () => {
  test.each([
    ['', ''],
    ['none', 'none'],
    ['x1', a('x1')],
    ['x1x2 x3.', `${a('x1')}${a('x2')} ${a('x3')}.`],
    ['<p>x1</p>\n<p>x2 <b>x3</b></p>', `<p>${a('x1')}</p>\n<p>${a('x2')} <b>${a('x3')}</b></p>`],
    ['&lt;x1&gt; &amp;&quot;x2&#39; x3', `&lt;${a('x1')}&gt; &amp;&quot;${a('x2')}&#39; ${a('x3')}`],
    ['&amp;lt;x1', `&amp;lt;${a('x1')}`],
    ['<abbr title="x1">x2</abbr>', `<abbr title="x1">${a('x2')}</abbr>`],
    ['<p title="a > x1" lang=\'">x2\'>x3</p>', `<p title="a > x1" lang='">x2'>${a('x3')}</p>`],
    ['Tom&amp;Uma', `<a href="/?a=1&amp;b=Tom&amp;Uma" class="cross-reference">Tom&amp;Uma</a>`],
  ])('in %s become links', (html, expected) => {
    expect(linked(html)).toBe(expected)
  })

  test.each([
    '<a href="/">x1</a>',
    '<a href="/"><b>x1</b> x2</a>',
    '<code>x1</code>',
    '<pre><code class="language-x1">x1</code> x2</pre>',
    '<pre\nlang="x1">x1</pre>',
    '<img alt="x1" />',
    '<p title="x1',
  ])('stay as they are in %s', (html) => {
    expect(linked(html)).toBe(html)
  })

  test('are links again after an excluded element', () => {
    expect(linked('<a>x1</a>x2</a>x3<code>x4</code>')).toBe(`<a>x1</a>${a('x2')}</a>${a('x3')}<code>x4</code>`)
  })

  test('that overlap become one link', () => {
    const overlapping = () => [
      { at: 0, text: 'ab', href: '/1' },
      { at: 1, text: 'bc', href: '/2' },
    ]
    expect(linkReferences('abc', overlapping)).toBe('<a href="/1" class="cross-reference">ab</a>c')
  })

  test('cannot break out of their link', () => {
    const html = linkReferences('x', () => [{ at: 0, text: 'x', href: '"><script>' }])
    expect(html).toBe('<a href="&quot;&gt;&lt;script&gt;" class="cross-reference">x</a>')
  })

  test('change nothing but the links around them', () => {
    const tags = ['<b>', '</b>', '<a href="/x1">', '</a>', '<pre>', '</pre>', '<br>', '<script>', '<img alt="x1>">']
    const pieces = ['x1', 'x2', 'a&b', '&lt;', '&amp;', '<', '>', '&', '"', "'", ' ', '\n', '*', '`', '[x3](/x4)']
    const source = fc.array(fc.oneof(fc.constantFrom(...tags, ...pieces), fc.string({ maxLength: 2 })))
    fc.assert(
      fc.property(fc.constantFrom('text', 'html', 'commonmark'), source, (format, parts) => {
        const html = renderText(format, parts.join(''))
        const result = linked(html)
        const added = /<a href="([^"]*)" class="cross-reference">([^<]*)<\/a>/g
        expect(result.replaceAll(added, '$2')).toBe(html)
        expect(faultsOfHtml(result.replaceAll(' class="cross-reference"', ''))).toEqual([])
        for (const [, href, text] of result.matchAll(added)) expect(href).toBe(`/?a=1&amp;b=${text}`)
      }),
      { numRuns: 3000 },
    )
  })

  test('take linear time', () => {
    for (const part of ['<', '>', '<a', '<a>', '<b>', '"', '<p "', '&amp;', '&', 'x1', 'x1&amp;', '</', "<'"]) {
      const hostile = part.repeat(Math.ceil(65_535 / part.length))
      expectSteadyGrowth(linked, hostile)
    }
  })
})
