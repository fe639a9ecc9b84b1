import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact, makeTestTracker } from '../../../server/test/fixtures/every-field.ts'
import { TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const PLUMS = {
  label: 'Plums',
  item_name: 'plum',
  permissions: { full: ['@members'] },
  settings: { submit_instructions: 'Weigh it first.\nThen wash it.', browse_instructions: 'Ripe ones first.' },
  elements: [{ name: 'summary', type: 'string', label: 'Summary' }],
  semantics: { title: 'summary' },
  canned_responses: [{ title: 'Late', body: 'It is on its way.' }],
}

describe.skipIf(CHROMIUM === undefined)('the settings of a tracker (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test('show instructions, offer prepared comments, and decide whether the project page offers new artifacts', async () => {
    const plums = await makeTestTracker(api, PLUMS)
    await makeTestTracker(api, { ...PLUMS, label: 'Pears', item_name: 'pear', settings: { in_new_dropdown: false } })
    const id = await makeTestArtifact(api, plums, { summary: 'Plum' })
    const { page, context, complaints } = await visit(browser, api, '/projects/orchard', { as: TOM })
    await page.getByRole('region', { name: 'Trackers' }).getByRole('link', { name: 'Pears', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'New artifact in Pears' }).count()).toBe(0)
    await page.getByRole('link', { name: 'New artifact in Plums' }).click()
    await page.getByText('Weigh it first.').waitFor()

    await page.goto(`${api.origin}/trackers/${plums.id}`)
    await page.getByText('Ripe ones first.').waitFor()

    await page.goto(`${api.origin}/artifacts/${id}`)
    // The editor replaces the plain field, which moves the button below it.
    await page.locator('.cm-content').first().waitFor()
    await page.getByRole('textbox', { name: 'Comment' }).focus()
    await page.getByRole('combobox', { name: 'Insert a prepared comment' }).selectOption('Late')
    await page.getByRole('textbox', { name: 'Comment' }).filter({ hasText: 'It is on its way.' }).waitFor()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('article').or(page.locator('li')).filter({ hasText: 'It is on its way.' }).first().waitFor()
    const { json } = await api.get(`/artifacts/${id}/changesets?fields=comments`, { as: TOM })
    expect(json.map(({ last_comment }: { last_comment: { commonmark: string } }) => last_comment.commonmark)).toEqual([
      'It is on its way.',
    ])
    expect(complaints).toEqual([])
    await context.close()
  })
})
