import { beforeAll, expect, test } from 'vitest'
import { type MadeTracker, makeArtifact, makeTracker } from '../every-field.ts'
import { startWorld } from '../harness.ts'
import { MARA, TOM } from '../people.ts'
import { faultsOfHtml } from '../safe-html.ts'
import { aTenthOf } from '../sample.ts'
import { attack } from './attack.ts'
import { MARKUP_ATTACKS } from './markup.ts'

const world = await startWorld({ seedOnce: true })
const { api } = world
let tracker: MadeTracker
beforeAll(async () => {
  tracker = await makeTracker(api, {
    label: 'Texts',
    item_name: 'text',
    permissions: { full: ['@anonymous'] },
    elements: [
      { name: 'summary', type: 'string', label: 'Summary' },
      { name: 'details', type: 'text', label: 'Details' },
    ],
    semantics: { title: 'summary' },
  })
})

interface TextJson {
  readonly field_id: number
  readonly value: string
  readonly post_processed_value: string
}

/** Written as a value and as a comment, and read back in every place where HTML comes out. */
async function shownAs(format: string, text: string): Promise<{ html: string[]; value: string; id: number }> {
  const id = await makeArtifact(api, tracker, { summary: 'Text', details: { value: text, format } })
  const comment = { body: `${text} .`, format }
  const { status } = await api.put(`/artifacts/${id}`, { as: MARA, body: { comment } })
  expect(status, text).toBe(200)
  const [artifact, changesets] = [
    await api.get(`/artifacts/${id}`, { as: TOM }),
    await api.get(`/artifacts/${id}/changesets`, { as: TOM }),
  ]
  const values: readonly TextJson[] = artifact.json.values
  const details = values.find(({ field_id }) => field_id === tracker.field('details'))
  const comments: { last_comment: { post_processed_body: string } }[] = changesets.json
  return {
    id,
    value: details?.value ?? '',
    html: [
      details?.post_processed_value ?? '',
      ...comments.map(({ last_comment }) => last_comment.post_processed_body),
    ],
  }
}

// Those who clean texts are tried with all of them; here it is asked whether every text passes through them.
const WRITABLE = MARKUP_ATTACKS.filter((text) => !text.includes('\0'))
const SOME = aTenthOf(WRITABLE, 'markup')

test('C02 HTML that runs something is clean where it comes out, and cleaning it again changes nothing', {
  timeout: 120_000,
}, async () => {
  for (const text of SOME) {
    const { html } = await shownAs('html', text)
    for (const each of html) expect(faultsOfHtml(each), `${text} became ${each}`).toEqual([])
    const [clean = ''] = html
    if (clean === '') continue
    expect((await shownAs('html', clean)).html[0], text).toBe(clean)
  }
})

test('C06 Markdown that runs something comes out without it', { timeout: 120_000 }, async () => {
  const links = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '&#106;avascript:alert(1)',
    'javascript&colon;alert(1)',
    '//evil.example\\@x',
    ' javascript:alert(1)',
  ]
  const forms = links.flatMap((url) => [
    `[x](${url})`,
    `![x](${url})`,
    `<${url}>`,
    `[x]: ${url}\n\n[x]`,
    `[x](<${url}>)`,
  ])
  for (const text of [
    ...forms,
    ...SOME,
    '[a](https://x "onload=alert(1)")',
    '```\n<script>\n```',
    '`<img src=x onerror=1>`',
  ]) {
    const { html } = await shownAs('commonmark', text)
    for (const each of html) expect(faultsOfHtml(each), `${text} became ${each}`).toEqual([])
  }
})

test('C10/texts a text brings no name or window of its own, and a page that it leads to does not hold ours', async () => {
  const link = '<a id="app" name="config" target="_top" href="https://evil.example" rel="opener">x</a>'
  const element = '<form id="session"><img name="cookie" src="https://evil.example/x"></form>'
  for (const text of [link, element, `<p id="root" class="modal" style="position:fixed">${link}</p>`])
    for (const format of ['html', 'commonmark']) {
      const { html } = await shownAs(format, text)
      for (const each of html) {
        // As attributes: what was cut may stand there as text.
        const elements = each.match(/<[a-z][^>]*>/g) ?? []
        expect(elements.join(''), `${format} ${text}`).not.toMatch(/\s(?:id|name|target|class|style)=/)
        const leading = elements.filter(
          (opened) => opened.includes('https://evil.example"') && opened.startsWith('<a '),
        )
        expect(leading.filter((opened) => !/rel="[^"]*\bnoopener\b/.test(opened))).toEqual([])
      }
    }
})

test('C02/text plain text comes out as text', { timeout: 120_000 }, async () => {
  for (const text of SOME) {
    const { html } = await shownAs('text', text)
    for (const each of html) expect(faultsOfHtml(each), `${text} became ${each}`).toEqual([])
  }
})

test('C08/artifacts no cell of an export of artifacts begins a formula', async () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1+1',
    '@SUM(A1)',
    '=HYPERLINK("https://evil.example")',
    '＝1+1',
    '\t=1',
    '|cmd',
    '"=1',
  ]
  for (const text of formulas)
    await makeArtifact(api, tracker, { summary: text.trim(), details: { value: text, format: 'text' } })
  const { text } = await attack(world, (send) => send('GET', `/trackers/${tracker.id}/artifacts.csv`, { as: TOM }))
  const cells = text.split('\r\n').flatMap((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
  expect(cells.filter((cell) => /^"?[=+@\t-]/.test(cell))).toEqual([])
  expect(text).toContain('1+1')
})
