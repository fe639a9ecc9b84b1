import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MARKUP_ATTACKS } from '../../../test/suites/attacks/markup.ts'
import { CHROMIUM, startBrowser, openWindow } from '../../../test/harness/browser.ts'
import { expectSteadyGrowth } from '../../../test/harness/cpu-time.ts'
import { faultsOfHtml } from '../../../test/harness/safe-html.ts'
import { ALLOWED_ATTRIBUTES, ALLOWED_ELEMENTS, sanitiseHtml } from './sanitise-html.ts'

describe('sanitised HTML', () => {
  test.each([
    'Engine stops',
    '<p>Engine <b>stops</b> after<br />12 s &amp; more</p>',
    '<h2 title="x">Steps</h2><ol start="3"><li>one</li></ol><hr />',
    '<table><thead><tr><th align="right" colspan="2">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    '<a href="/artifacts/12">a</a> <a href="#top">b</a> <a href="mailto:uma@waypost.example">c</a>',
    '<img src="/files/41/engine.png" alt="engine" width="20" />',
    '<pre><code class="language-c++">a &lt; b</code></pre>',
  ])('keeps %s', (html) => {
    expect(sanitiseHtml(html)).toBe(html)
  })

  test.each([
    ['a > b', 'a &gt; b'],
    ['a < b & c', 'a &lt; b &amp; c'],
    ['&eacute;&nbsp;&quot;', 'é\u00A0"'],
    ['<p>never closed', '<p>never closed</p>'],
    ['<p id="x" class="y" style="color:red" onclick="alert(1)">x</p>', '<p>x</p>'],
    ['<code class="wide language-ts">x</code>', '<code class="language-ts">x</code>'],
    ['<font color="red">red</font> <center>x</center>', 'red x'],
    ['a<script>alert(1)</script><style>p {}</style><iframe>x</iframe><title>y</title>b', 'ab'],
    ['<a href="javascript:alert(1)" rel="opener" target="_blank">x</a>', '<a>x</a>'],
    ['<a href="page.html">x</a><a href="//evil.example">y</a>', '<a>x</a><a>y</a>'],
    ['<a href="/x" rel="opener">x</a>', '<a href="/x">x</a>'],
    ['<a href=" https://a.example " rel="x">x</a>', '<a href="https://a.example" rel="nofollow noopener">x</a>'],
    ['<img src="data:image/png;base64,AAAA" alt="x">', '<img alt="x" />'],
  ])('makes of %s only %s', (html, safe) => {
    expect(sanitiseHtml(html)).toBe(safe)
  })

  test.each(MARKUP_ATTACKS)('runs nothing of %j', (attack) => {
    for (const html of [attack, `<p>${attack}</p>`, `<table><tr><td>${attack}`, `<a title="x">${attack}${attack}`]) {
      const safe = sanitiseHtml(html)
      expect(faultsOfHtml(safe)).toEqual([])
      expect(faultsOfHtml(sanitiseHtml(safe))).toEqual([])
      expect(textOf(sanitiseHtml(safe))).toBe(textOf(safe))
    }
  })

  test('is harmless for any input', () => {
    const pieces = MARKUP_ATTACKS.flatMap((attack) => attack.split(/(?=[<>"' =&])/))
    const html = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 30 })
    fc.assert(
      fc.property(html, (parts) => {
        const safe = sanitiseHtml(parts.join(''))
        expect(faultsOfHtml(safe)).toEqual([])
        expect(textOf(sanitiseHtml(safe))).toBe(textOf(safe))
      }),
      { numRuns: 3000 },
    )
  })

  test('escapes elements that are nested too deeply', () => {
    expect(sanitiseHtml(`${'<b>'.repeat(101)}x`)).toBe(`${'<b>'.repeat(100)}x${'</b>'.repeat(100)}`)
    expect(sanitiseHtml(`${'<b>'.repeat(401)}x`)).toBe(`${'&lt;b&gt;'.repeat(401)}x`)
    expect(sanitiseHtml('<b>x</b><br>'.repeat(1000))).toBe('<b>x</b><br />'.repeat(1000))
  })

  test('takes linear time', () => {
    const parts = [
      '<',
      '<a',
      '<b>',
      '<p>',
      '<li><ul>',
      '</p>',
      '<iframe>',
      '<noscript>',
      '<div><noscript></div>',
      '&',
      '<b></p>',
    ]
    const more = [
      '&#',
      '<!--',
      '<a href="',
      '<td>',
      '<a x',
      '<p title=',
      '<script>',
      '<svg>',
      '<template>',
      'a>',
      '<x y=',
    ]
    for (const part of [...parts, ...more]) {
      const hostile = part.repeat(Math.ceil(65_535 / part.length))
      expectSteadyGrowth(sanitiseHtml, hostile)
    }
  })

  test.skipIf(CHROMIUM === undefined)('runs nothing in a browser (needs Chromium: npm run setup)', async () => {
    await using browser = await startBrowser()
    const page = await (await openWindow(browser)).newPage()
    const dialogs: string[] = []
    page.on('dialog', async (dialog) => {
      dialogs.push(dialog.message())
      await dialog.dismiss()
    })
    const show = async (html: string) => {
      await page.setContent(`<!doctype html><body>${html}`)
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))') // Time for scripts to run, if any would.
    }

    // Control: unsanitised HTML does run there.
    await show('<p>x</p><img src="data:," onerror="alert(1)">')
    await expect.poll(() => dialogs).toEqual(['1'])

    await show(MARKUP_ATTACKS.map((attack) => `<div>${sanitiseHtml(attack)}</div>`).join('\n'))
    expect(dialogs).toEqual(['1'])
    const names = await page.evaluate<string[]>(
      `[...document.body.querySelectorAll('*')].flatMap((element) =>
          [element.localName, ...element.getAttributeNames().map((name) => element.localName + ' ' + name)])`,
    )
    const known = Object.entries(ALLOWED_ATTRIBUTES).flatMap(([element, attributes]) =>
      (element === '*' ? ALLOWED_ELEMENTS : [element]).flatMap((name) => attributes.map((each) => `${name} ${each}`)),
    )
    expect([...new Set(names)].filter((name) => ![...ALLOWED_ELEMENTS, ...known].includes(name))).toEqual([])
    expect(await page.locator('body > div').count()).toBe(MARKUP_ATTACKS.length)
  })
})

function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '')
}
