import { beforeAll, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../fixtures/every-field.ts'
import { startWorld } from '../../harness/start-world.ts'
import { MARA, TOM } from '../../fixtures/people.ts'
import { faultsOfHtml } from '../../harness/safe-html.ts'
import { sampleTenth } from '../../harness/sampling.ts'
import { attack } from './attack.ts'
import { MARKUP_ATTACKS } from './markup.ts'

const world = await startWorld({ seedOnce: true })
const { api } = world
let tracker: MadeTracker
beforeAll(async () => {
  tracker = await makeTestTracker(api, {
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

/** Writes the text as a value and as a comment, and reads it wherever HTML is returned. */
async function shownAs(format: string, text: string): Promise<{ html: string[]; value: string; id: number }> {
  const id = await makeTestArtifact(api, tracker, { summary: 'Text', details: { value: text, format } })
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

// The sanitizers have their own tests with all of these; this checks that every text passes through them.
const WRITABLE = MARKUP_ATTACKS.filter((text) => !text.includes('\0'))
const SOME = sampleTenth(WRITABLE, 'markup')

test('C02 active HTML is sanitized in every response, and sanitizing is idempotent', {
  timeout: 240_000,
}, async () => {
  for (const text of SOME) {
    const { html } = await shownAs('html', text)
    for (const each of html) expect(faultsOfHtml(each), `${text} became ${each}`).toEqual([])
    const [clean = ''] = html
    if (clean === '') continue
    expect((await shownAs('html', clean)).html[0], text).toBe(clean)
  }
})

test('C06 active content in Markdown is removed', async () => {
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

test('C10/texts a text defines no names or windows, and linked pages get no opener', async () => {
  const link = '<a id="app" name="config" target="_top" href="https://evil.example" rel="opener">x</a>'
  const element = '<form id="session"><img name="cookie" src="https://evil.example/x"></form>'
  for (const text of [link, element, `<p id="root" class="modal" style="position:fixed">${link}</p>`])
    for (const format of ['html', 'commonmark']) {
      const { html } = await shownAs(format, text)
      for (const each of html) {
        // As attributes only: escaped text may contain them.
        const elements = each.match(/<[a-z][^>]*>/g) ?? []
        expect(elements.join(''), `${format} ${text}`).not.toMatch(/\s(?:id|name|target|class|style)=/)
        const leading = elements.filter(
          (opened) => opened.includes('https://evil.example"') && opened.startsWith('<a '),
        )
        expect(leading.filter((opened) => !/rel="[^"]*\bnoopener\b/.test(opened))).toEqual([])
      }
    }
})

test('C02/text plain text is rendered as text', async () => {
  for (const text of SOME) {
    const { html } = await shownAs('text', text)
    for (const each of html) expect(faultsOfHtml(each), `${text} became ${each}`).toEqual([])
  }
})

test('C08/artifacts no cell of an artifact export starts a formula', async () => {
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
    await makeTestArtifact(api, tracker, { summary: text.trim(), details: { value: text, format: 'text' } })
  const { text } = await attack(world, (send) => send('GET', `/trackers/${tracker.id}/artifacts.csv`, { as: TOM }))
  const cells = text.split('\r\n').flatMap((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
  expect(cells.filter((cell) => /^"?[=+@\t-]/.test(cell))).toEqual([])
  expect(text).toContain('1+1')
})
