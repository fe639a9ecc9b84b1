import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MARKUP_ATTACKS } from '../../../test/suites/attacks/markup.ts'
import { expectSteadyGrowth } from '../../../test/harness/cpu-time.ts'
import { sampleItems } from '../../../test/harness/sampling.ts'
import { faultsOfHtml } from '../../../test/harness/safe-html.ts'
import { renderCommonmark } from './render-commonmark.ts'
import { sanitiseHtml } from './sanitise-html.ts'

describe('CommonMark', () => {
  test.each([
    ['Engine stops after **12 s**, see art #15.', '<p>Engine stops after <strong>12 s</strong>, see art #15.</p>'],
    ['', ''],
    ['# Steps\n\n- one\n- *two*', '<h1>Steps</h1>\n<ul>\n<li>one</li>\n<li><em>two</em></li>\n</ul>'],
    ['a\nb  \nc', '<p>a\nb<br />\nc</p>'],
    ['~~old~~ `<b>`', '<p><s>old</s> <code>&lt;b&gt;</code></p>'],
    ['```ts x\na < b\n```', '<pre><code class="language-ts">a &lt; b\n</code></pre>'],
    ['a <b>c</b>', '<p>a &lt;b&gt;c&lt;/b&gt;</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['https://waypost.example', '<p>https://waypost.example</p>'],
    ['---', '<hr />'],
  ])('%j becomes %s', (source, html) => {
    expect(renderCommonmark(source)).toBe(html)
  })

  test('has tables, without styles', () => {
    const html = renderCommonmark('| a | b |\n|---|:-:|\n| 1 | 2 |')
    expect(html.replaceAll('\n', '')).toBe(
      '<table><thead><tr><th>a</th><th align="center">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td align="center">2</td></tr></tbody></table>',
    )
  })

  test.each([
    ['[a](/artifacts/12)', '<a href="/artifacts/12">a</a>'],
    ['[a](/\\evil.example)', '<a href="/%5Cevil.example">a</a>'],
    ['[a](#top "t")', '<a href="#top" title="t">a</a>'],
    ['[a](mailto:uma@waypost.example)', '<a href="mailto:uma@waypost.example">a</a>'],
    ['[a](https://a.example/?b&c)', '<a href="https://a.example/?b&amp;c" rel="nofollow noopener">a</a>'],
    ['<http://a.example>', '<a href="http://a.example" rel="nofollow noopener">http://a.example</a>'],
    ['[a]\n\n[a]: HTTPS://a.example', '<a href="HTTPS://a.example" rel="nofollow noopener">a</a>'],
    ['![a](/files/41/engine.png)', '<img src="/files/41/engine.png" alt="a" />'],
  ])('%j is a link or an image', (source, html) => {
    expect(renderCommonmark(source)).toBe(`<p>${html}</p>`)
  })

  test.each([
    '[a](javascript:alert(1))',
    '[a](JAVASCRIPT:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](java&Tab;script:alert)',
    '[a](<java\tscript:alert>)',
    '[a](vbscript:x)',
    '[a](data:text/html,x)',
    '[a](file:///etc/passwd)',
    '[a](//evil.example)',
    '[a](\\\\/evil.example)',
    '[a](page.html)',
    '<javascript:alert(1)>',
    '![a](data:image/png;base64,AAAA)',
    '![a](data:image/svg+xml;base64,AAAA)',
    '[a]\n\n[a]: javascript:alert(1)',
  ])('%j does not become a link', (source) => {
    expect(renderCommonmark(source)).not.toMatch(/<a |<img /)
  })

  test('is harmless for any input, and the sanitiser finds nothing to remove', () => {
    const marks = ['*', '_', '~~', '`', '```', '[', ']', '(', ')', '![', '](', '<', '>', '|', '\n', '\n\n', '- ', '1. ']
    const more = ['# ', '&', ';', '"', "'", '\\', ':', '/', '#', ' ', 'a', 'é', '[a]: ', 'https://a.b', 'javascript:x']
    const attacks = MARKUP_ATTACKS.flatMap((attack) => [attack, `[a](${attack})`, `![${attack}](/b "${attack}")`])
    const piece = fc.oneof(fc.constantFrom(...marks, ...more), fc.constantFrom(...attacks), fc.string({ maxLength: 3 }))
    const quotes = (html: string) => html.replaceAll('&quot;', '"').replaceAll(/ (?:href|src)=""/g, '')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
        const html = renderCommonmark(parts.join(''))
        expect(faultsOfHtml(html)).toEqual([])
        expect(quotes(sanitiseHtml(html))).toBe(quotes(html))
      }),
      { numRuns: 2000 },
    )
  })

  test('takes linear time', () => {
    const parts = [
      '[',
      '![[',
      '[\n',
      '[a](',
      '![a](b',
      '[[a](b)',
      '*a ',
      '*a_ ',
      'c* ',
      '~~a ',
      '`a',
      '*',
      '***a ',
      '_',
    ]
    const more = [
      '>',
      '> a\n',
      '- ',
      '> - ',
      '1. a\n',
      '<',
      '<a\n',
      '<!--',
      '<a@a.',
      '&',
      '&#x1',
      '\\',
      '[a]: u\n',
      '|\n',
    ]
    const others = ['|a|b\n|-|-\n', 'a\n=\n', '# a\n', '```\n', '[a](b "', '[a](((', 'a  \n', '\t- ', '"', '\0', '#']
    const ticks = Array.from({ length: 360 }, (_, count) => `e${'`'.repeat(count)}`).join('')
    const table = `${'|a'.repeat(1000)}\n${'|-'.repeat(1000)}\n${'|\n'.repeat(30_000)}`
    const long = [...parts, ...more, ...others].map((part) => part.repeat(Math.ceil(65_535 / part.length)))
    for (const hostile of [...sampleItems(long, 'growth', 12), ticks, table])
      expectSteadyGrowth(renderCommonmark, hostile)
  })
})
