import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultsOfHtml } from '../../../test/harness/safe-html.ts'
import { renderText } from './render-text.ts'

describe('a text as HTML', () => {
  test.each([
    ['text', 'hi', 'hi'],
    ['text', 'a < **b**\r\n"c"\n\rd', 'a &lt; **b**<br />&quot;c&quot;<br /><br />d'],
    ['html', '<b>a</b>\n<script>b</script>', '<b>a</b>\n'],
    ['commonmark', '**a** <b>', '<p><strong>a</strong> &lt;b&gt;</p>'],
  ] as const)('of format %s: %j becomes %j', (format, source, html) => {
    expect(renderText(format, source)).toBe(html)
  })

  test.each([
    ['html', '**a** <b>c</b>', '**a** <b>c</b>'],
    ['commonmark', '**a** <b>c</b>', '<p><strong>a</strong> &lt;b&gt;c&lt;/b&gt;</p>'],
    ['text', '**a** <b>c</b>', '**a** &lt;b&gt;c&lt;/b&gt;'],
    ['html', '', ''],
    ['commonmark', '', ''],
    ['commonmark', 'a'.repeat(100_000), `<p>${'a'.repeat(100_000)}</p>`],
  ] as const)('of format %s is the same each time it is rendered: %.20s', (format, source, html) => {
    for (let time = 0; time < 3; time++) expect(renderText(format, source)).toBe(html)
  })

  test('is safe in every format', () => {
    fc.assert(
      fc.property(fc.constantFrom('text', 'html', 'commonmark'), fc.string(), (format, source) => {
        expect(faultsOfHtml(renderText(format, source))).toEqual([])
      }),
    )
  })
})
