import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { MARKUP_ATTACKS } from '../../server/test/suites/attacks/markup.ts'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { loadRevisions, makeBrowsed } from '../../server/test/fixtures/browsed-repository.ts'
import type { TestClient } from '../../server/test/harness/client.ts'
import { makeTestTracker } from '../../server/test/fixtures/every-field.ts'
import { ADA, MARA } from '../../server/test/fixtures/people.ts'
import { NURSERY, ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { dumpOf } from '../../server/src/repositories/disk/svn-dump.ts'
import { visit } from './visitor.ts'
import { startFewPages } from './world.ts'
import { pressArtifactAction } from './menu.ts'

/** Twenty payloads of every kind, including those that close a script element. */
const SCRIPTS = [
  '</script><script>alert(1)</script>',
  ...MARKUP_ATTACKS.filter((_, at) => at % Math.floor(MARKUP_ATTACKS.length / 19) === 0).slice(0, 19),
].map((script) => script.replaceAll(/[\0\r\n]/g, ' '))
const ALL = SCRIPTS.join('\n\n')
const NAME = 'Mara <img src=x onerror=alert(1)>'
const FILE_NAME = '<img src=x onerror=alert(1)>.txt'

describe.skipIf(CHROMIUM === undefined)('stored XSS payloads (needs Chromium: npm run setup)', async () => {
  const world = await startFewPages()
  const { api, clock } = world
  const browser = await startBrowser()
  afterAll(() => browser.close())
  clock.set(new Date()) // Home shows recent artifacts.
  const { tracker, artifact } = await storeEverywhere(api)
  await commitEverywhere(world)
  const REPOSITORY = '/projects/orchard/repositories/traps'
  const FILE = encodeURIComponent(FILE_NAME)
  const addresses = [
    `/artifacts/${artifact}`,
    `/trackers/${tracker}`,
    `/trackers/${tracker}/board`,
    `/trackers/${tracker}/charts`,
    `/trackers/${tracker}/new`,
    ...['elements', 'permissions', 'workflow', 'semantics'].map(
      (part) => `/trackers/${tracker}/administration/${part}`,
    ),
    '/projects/orchard',
    '/projects',
    REPOSITORY,
    `${REPOSITORY}/log`,
    `${REPOSITORY}/revisions/1`,
    `${REPOSITORY}/file/${FILE}`,
    `${REPOSITORY}/blame/${FILE}`,
    `${REPOSITORY}/settings`,
    '/account/keys-tokens',
    '/',
  ]
  const ofAdministrators = [
    '/administration/users?q=mara',
    `/administration/users/${MARA.id}`,
    '/administration/projects',
    '/administration/trash',
    '/administration/audit',
  ]

  test.each([
    { as: MARA, open: addresses },
    { as: ADA, open: ofAdministrators },
  ])('C01 twenty scripts in every stored text: every page shows them to $as.login as text', async ({ as, open }) => {
    const { page, context, complaints } = await visit(browser, api, '/account/appearance', { as })
    const ran: string[] = []
    page.on('dialog', (dialog) => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
    await page.addInitScript(`
      window.refused = []
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => refused.push(violatedDirective))
    `)
    for (const address of open) {
      await page.goto(`${api.origin}${address}`)
      await page.getByText('onerror=alert(1)').filter({ visible: true }).first().waitFor()
      await expect.poll(() => page.locator('[class*=skeleton]').count()).toBe(0)
      expect([address, await dangersOn(page)]).toEqual([address, []])
    }
    await page.goto(`${api.origin}/artifacts/${artifact}`)
    if (as === MARA) {
      await pressArtifactAction(page, 'Edit title')
      for (const name of ['Edit Details', 'Edit Tags']) await page.getByRole('button', { name }).click()
    }
    expect(await dangersOn(page)).toEqual([])
    expect(ran).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('C07 the document contains no stored text and no inline script', async () => {
    const documents = await Promise.all(addresses.map(async (path) => (await fetch(`${api.origin}${path}`)).text()))
    expect(new Set(documents).size).toBe(1)
    expect(documents[0]?.match(/<script(?![^>]* src="\/)/g)).toBeNull()
    expect(documents[0]).not.toContain('alert(1)')
  })
})

/** Signs of injection: event handlers, foreign URLs, elements that hold programs, and blocked requests. */
async function dangersOn(page: Page): Promise<unknown> {
  // Icons are created by React, which marks its elements; parsed markup has no such mark.
  return page.evaluate(`(() => {
  const isIcon = (element) =>
    element.localName === 'svg' && Object.keys(element).some((name) => name.startsWith('__reactFiber$'))
  return [
    ...refused,
    ...[...document.querySelectorAll('*')].flatMap((element) => [
      ...element.getAttributeNames().filter((name) => name.startsWith('on') || name === 'srcdoc'),
      ...['href', 'src', 'action', 'formaction']
        .map((name) => element.getAttribute(name) ?? '')
        .filter((address) => /^[\\s\\0-\\x20]*(javascript|vbscript|data:text)/i.test(address)),
    ]),
    ...[...document.querySelectorAll('#root :is(script, iframe, object, embed, base, link, meta, style, form[action], svg, math)')]
      .filter((element) => !isIcon(element))
      .map((element) => element.outerHTML.slice(0, 100)),
  ]})()`)
}

const named = (name: string, type: string, label: string, more: object = {}) => ({ name, type, label, ...more })

/** Stores the payloads in every text that the pages show. */
async function storeEverywhere(api: TestClient): Promise<{ tracker: number; artifact: number }> {
  const done = async (answer: Promise<{ status: number; text: string }>): Promise<number> => {
    const { status, text } = await answer
    if (status >= 300) throw new Error(text)
    return text === '' ? 0 : JSON.parse(text).id
  }
  const values = SCRIPTS.map((label) => ({ label }))
  const tracker = await makeTestTracker(api, {
    format: 'waypost-tracker/1',
    label: `Traps ${SCRIPTS[0]}`,
    item_name: 'trap',
    description: ALL,
    permissions: { full: ['@anonymous'] },
    elements: [
      named('summary', 'string', 'Summary', { description: ALL }),
      named('state', 'sb', 'State', { bind: { type: 'static', values } }),
      named('people', 'msb', 'People', { bind: { type: 'users', sources: ['@members'] } }),
      {
        ...named('all', 'fieldset', `Box ${SCRIPTS[1]}`),
        content: [
          named('advice', 'staticrichtext', 'Advice', { properties: { static_value: ALL } }),
          named('details', 'text', 'Details'),
          named('as_html', 'text', 'As HTML'),
          named('as_text', 'text', 'As text'),
          named('choices', 'cb', 'Choices', { bind: { type: 'static', values } }),
          named('tags', 'tbl', 'Tags', { bind: { type: 'static', values: [] } }),
          named('papers', 'file', 'Papers'),
          named('links', 'art_link', 'Links'),
          ...SCRIPTS.map((label, at) => named(`s${at}`, 'string', label, { description: label })),
        ],
      },
    ],
    semantics: { title: 'summary', description: 'details', contributor: 'people' },
  })
  const make = (values_by_field: object) =>
    done(api.post('/artifacts', { as: MARA, body: { tracker: { id: tracker.id }, values_by_field } }))
  const others = []
  for (const summary of SCRIPTS) others.push(await make({ summary, people: ['mara'] }))
  const files = []
  for (const script of SCRIPTS) {
    const name = script.replaceAll(/[/\\]/g, ' ').slice(0, 120)
    const body = { name, mimetype: 'text/html', content: 'eA==', description: script }
    files.push(await done(api.post('/artifact_temporary_files', { as: MARA, body })))
  }
  const id = await make({
    summary: ALL.replaceAll('\n', ' ').slice(0, 2000),
    people: ['mara'],
    details: { value: ALL, format: 'commonmark' },
    as_html: { value: ALL, format: 'html' },
    as_text: { value: ALL, format: 'text' },
    choices: SCRIPTS,
    tags: SCRIPTS,
    papers: files,
    links: others,
    ...Object.fromEntries(SCRIPTS.map((script, at) => [`s${at}`, script])),
  })
  const report = { label: SCRIPTS[3], description: ALL }
  await done(api.post(`/trackers/${tracker.id}/tracker_reports`, { as: MARA, body: report }))
  await done(api.delete(`/artifacts/${others.at(-1)}`, { as: MARA }))
  await done(api.patch(`/users/${MARA.id}`, { as: ADA, body: { values: { real_name: NAME } } }))
  for (const format of ['commonmark', 'html', 'text'])
    await done(api.put(`/artifacts/${id}`, { as: MARA, body: { comment: { body: ALL, format } } }))
  const changed = { details: { value: `${ALL} and more`, format: 'commonmark' }, s0: 'changed' }
  await done(api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: changed } }))
  await done(api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: ALL } }))
  const project = { shortname: 'trapped', label: 'Trapped <img src=x onerror=alert(1)>', description: ALL }
  await done(api.post('/projects', { as: ADA, body: { ...project, is_public: true, template_id: NURSERY } }))
  await done(api.post('/access_keys', { as: MARA, body: { description: SCRIPTS[2], scopes: ['read:rest'] } }))
  return { tracker: tracker.id, artifact: id }
}

/** Stores the payloads in a repository: names, contents, properties, messages, and its settings. */
async function commitEverywhere(world: Awaited<ReturnType<typeof startFewPages>>): Promise<void> {
  const { folder } = await makeBrowsed(world, 'traps', `# ${ALL.replaceAll('\n', ' ')}\n[/]\n* = r`)
  const props = { trap: ALL, 'svn:mime-type': 'text/html' }
  const files = SCRIPTS.map((script, at) => ({
    path: `${at} ${script.replaceAll(/[/\\]/g, ' ')}`.slice(0, 120).trim(),
    nodeAction: 'add' as const,
    content: `${script}\n`,
  }))
  const message = `${SCRIPTS[4]}\n\n${ALL}`
  const nodes = [{ path: FILE_NAME, nodeAction: 'add' as const, content: `${ALL}\n`, props }, ...files]
  await loadRevisions(folder, dumpOf([{ author: NAME, message, date: new Date(), nodes }]))
}
