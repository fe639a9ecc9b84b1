import { afterAll, describe, expect, test } from 'vitest'
import { makeTestArtifact } from '../../../server/test/fixtures/every-field.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const TITLES_DELAY_MS = 1500

describe.skipIf(CHROMIUM === undefined)('the head of an artifact (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const make = (summary: string, more: object = {}) =>
    makeTestArtifact(api, deliveries.tracker, { summary, status: 'Open', ...more })

  test('has the next step as a button, which can be undone, and other actions in one menu', async () => {
    const id = await make('Mend the gate')
    const status = async () =>
      (await api.get(`/artifacts/${id}?values_format=by_field`, { as: MARA })).json.full_status.value
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await page.getByRole('button', { name: 'Mark as Working' }).click()
    await page.getByText('Saved.').last().waitFor()
    expect(await status()).toBe('Working')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').first().waitFor()
    await page.getByRole('button', { name: 'Mark as Working' }).waitFor()
    expect(await status()).toBe('Open')

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Edit title' }).click()
    await page.getByRole('textbox', { name: 'Summary' }).fill('Mend the old gate')
    expect(await page.getByRole('button', { name: 'Mark as Working' }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mend the old gate', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('offers no step to people who may not take one', async () => {
    const id = await make('Oil the gate')
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: OLGA })
    await page.getByRole('heading', { name: 'Oil the gate', level: 1 }).waitFor()
    expect(await page.getByRole('button', { name: 'Mark as' }).count()).toBe(0)
    await context.close()
  })

  test('titles of linked artifacts that come late move nothing', async () => {
    const linked = await Promise.all(['Hinges', 'Bolts', 'Paint', 'Lock'].map((each) => make(each)))
    for (const closed of linked.slice(2))
      for (const value of ['Working', 'Closed']) {
        const body = { values_by_field: { status: value }, comment: { body: 'Done.' } }
        expect((await api.put(`/artifacts/${closed}`, { as: MARA, body })).status).toBe(200)
      }
    const id = await make('Mend the door', { links: { links: linked.map((each) => ({ id: each })) } })
    const { page, context } = await visit(browser, api, '/account/appearance', { as: TOM })
    await page.addInitScript(`
      window.shifts = []
      new PerformanceObserver((list) => {
        for (const { sources } of list.getEntries())
          for (const { node } of sources) if (node?.parentElement?.closest('main aside, main aside + div')) shifts.push(node.outerHTML ?? node.data)
      }).observe({ type: 'layout-shift', buffered: true })
    `)
    await context.route(/\/api\/artifacts\?/, async (route) => {
      await page.waitForTimeout(TITLES_DELAY_MS)
      await route.continue()
    })
    await page.goto(`${api.origin}/artifacts/${id}`)
    await page.getByRole('link', { name: /#\d+$/ }).first().waitFor()
    await page.getByRole('link', { name: 'Hinges' }).waitFor()
    expect(await page.evaluate('shifts')).toEqual([])
    await context.close()
  })
})
