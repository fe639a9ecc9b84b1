import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPlainText } from './plain-text.ts'

describe('the plain text of a text', () => {
  test.each([
    ['text', '  a\r\n\tb  <b>c</b> &amp; *d* ', 'a b <b>c</b> &amp; *d*'],
    [
      'html',
      '<p>Engine <b>st</b>ops</p><p>after&nbsp;12&thinsp;s<br>&lt;b&gt; &amp;amp;</p>',
      'Engine stops after 12 s <b> &amp;',
    ],
    ['html', 'a<script>b</script><!-- c --><ul><li>d<li>e</ul>', 'a d e'],
    ['html', '<table><tr><td>a<td>b</table>', 'a b'],
    ['html', '1 < 2', '1 < 2'],
    ['html', 'a<img src="/x.png" alt="&lt;engine&gt;">b<img src="/y.png">', 'a <engine> b'],
    ['commonmark', '# Steps\n\n1. **on**e & `<b>`\n2. [two](/x "y") ![pump](/p.png)', 'Steps one & <b> two pump'],
    ['commonmark', 'a\\\nb <b>', 'a b <b>'],
    ['commonmark', '', ''],
  ] as const)('of format %s: %j becomes %j', (format, source, text) => {
    expect(toPlainText(format, source)).toBe(text)
  })

  test('is one line, and is unchanged by a second conversion', () => {
    fc.assert(
      fc.property(fc.constantFrom('text', 'html', 'commonmark'), fc.string(), (format, source) => {
        const text = toPlainText(format, source)
        expect(text).not.toMatch(/^\s|\s$|\s\s|[\r\n\t]/)
        expect(toPlainText('text', text)).toBe(text)
      }),
    )
  })
})
