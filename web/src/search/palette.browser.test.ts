import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { BUGS } from '../../../server/test/fixtures/seed-ids.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'
import { pressArtifactAction } from '../../test/menu.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('the command palette (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test('finds an artifact by half a word of a comment, and opens it by Enter alone', async () => {
    const body = { values: [], comment: { body: 'The gyroscope wobbles', format: 'text' } }
    expect((await api.put(`/artifacts/${deliveries.id}`, { as: MARA, body })).status).toBe(200)
    const { page, context, complaints } = await visit(browser, api, '/', { as: MARA })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('gyrosc')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${deliveries.id}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('offers what was seen last before anything is typed, and first among the matches', async () => {
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${deliveries.id}`, { as: TOM })
    const seen = async (): Promise<{ uri: string; label: string }[]> =>
      (await api.get('/users/self/recently_seen', { as: TOM })).json
    await expect.poll(async () => (await seen())[0]?.uri, patient).toBe(`artifacts/${deliveries.id}`)
    const { label: title } = (await seen())[0] ?? { label: '' }
    const recent = page.getByRole('group', { name: 'Recently seen' })
    const heading = page.getByRole('heading', { level: 1 })
    await page.goto(new URL('/', page.url()).href)
    await heading.waitFor()
    await page.keyboard.press('Control+k')
    await recent.getByRole('option').filter({ hasText: title }).waitFor()
    await page.getByRole('combobox').fill(title.split(' ')[0] ?? '')
    await recent.getByRole('option').filter({ hasText: title }).waitFor()
    expect(await page.getByRole('option').filter({ hasText: title }).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${deliveries.id}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('finds by id, by the first letter of its kind, and in the project until Backspace', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${deliveries.tracker.id}`, { as: TOM })
    await page.getByRole('grid').waitFor()
    const { keyboard } = page
    const palette = page.getByRole('dialog')
    const option = (name: string | RegExp) => page.getByRole('option', { name })
    await keyboard.press('Control+k')
    await page.getByRole('button', { name: 'Search everywhere instead of in Orchard' }).waitFor()
    await keyboard.type(`#${deliveries.id}`)
    await option(new RegExp(`#${deliveries.id} `)).waitFor()
    await palette.getByRole('combobox').fill('@mara')
    await palette
      .getByRole('group', { name: 'People' })
      .getByRole('option', { name: /Mara Keller/ })
      .waitFor()
    await palette.getByRole('combobox').fill('> inbox')
    await option('Go to: Inbox').waitFor()
    expect(await palette.getByRole('group').count()).toBe(1)
    await palette.getByRole('combobox').fill('')
    await keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Search everywhere' }).waitFor({ state: 'detached' })
    await keyboard.type('new ')
    await option(/^New /).first().waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('creates artifacts from every screen, and filters the current table', async () => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('new bug')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/trackers/${BUGS}/new`)
    await page.goto(`${api.origin}/trackers/${deliveries.tracker.id}`)
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('crate')
    await page.getByRole('option', { name: /^Filter .* by “crate”$/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('q')).toContain('crate')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('assigns the open artifact to the viewer', async () => {
    const { json: found } = await api.get('/search?query=ladder', { as: MARA })
    const { id } = found.artifacts[0]
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('> assign to me')
    await page.getByRole('option', { name: 'Assign to me' }).waitFor()
    await page.keyboard.press('Enter')
    const assignees = async () => JSON.stringify((await api.get(`/artifacts/${id}`, { as: MARA })).json.assignees)
    await expect.poll(assignees, patient).toContain('"username":"mara"')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('c creates an artifact from anywhere: it asks for the tracker, the one seen last first', async () => {
    expect((await api.put(`/trackers/${deliveries.tracker.id}/seen`, { as: TOM })).status).toBe(200)
    const { label } = (await api.get(`/trackers/${deliveries.tracker.id}`, { as: TOM })).json
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM })
    for (const path of ['/inbox', '/projects/orchard']) {
      await page.goto(new URL(path, page.url()).href)
      // Only people with a session can create artifacts: the key works as soon as the button is there.
      await page.getByRole('button', { name: 'New artifact' }).waitFor()
      await page.keyboard.press('c')
      const dialog = page.getByRole('dialog', { name: 'New artifact' })
      await dialog.getByRole('option').filter({ hasText: label }).waitFor()
      expect(await dialog.getByRole('option').first().textContent()).toContain(label)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'New artifact' }).click()
    await page.getByRole('combobox', { name: 'Tracker' }).fill('bug')
    await page.getByRole('option').filter({ hasText: 'Bugs' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/trackers/${BUGS}/new`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a sub-item is created from its parent, and is a part of it', async () => {
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${deliveries.id}`, { as: TOM })
    await pressArtifactAction(page, 'Add sub-item')
    const { label } = (await api.get(`/trackers/${deliveries.tracker.id}`, { as: TOM })).json
    await page.getByRole('option').filter({ hasText: label }).first().click()
    await page.waitForURL(`**/trackers/${deliveries.tracker.id}/new?parent=${deliveries.id}`)
    await page.getByText('Part of').waitFor()
    await page.getByLabel('Summary').fill('Unload the first cart')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Unload the first cart', level: 1 }).waitFor()
    await page.getByText('Part of').waitFor()
    const [id] = /\d+$/.exec(new URL(page.url()).pathname) ?? []
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: TOM })
    expect(JSON.stringify(json.values_by_field)).toContain(`"id":${deliveries.id}`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
