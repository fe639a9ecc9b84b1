import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { readWebUi, WEB_UI_FOLDER } from '../../../server/src/platform/http/web-ui.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS, ORCHARD } from '../../../server/test/fixtures/seed-ids.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { startWorld } from '../../../server/test/harness/start-world.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'

const patient = { timeout: 30_000 }
const SETTINGS = '/projects/orchard/settings'

describe.skipIf(CHROMIUM === undefined)('the settings of a project (needs Chromium: npm run setup)', async () => {
  const webUi = await readWebUi(WEB_UI_FOLDER)
  if (!webUi) throw new Error('The pages are not built: npm run build.')
  const { api, clock } = await startWorld({
    seedOnce: true,
    webUi,
    environment: { WAYPOST_PUBLIC_URL: 'http://127.0.0.1' },
  })
  clock.set(new Date())
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const project = async () => (await api.get(`/projects/${ORCHARD}`, { as: MARA })).json
  const services = async () => {
    const { json } = await api.get(`/projects/${ORCHARD}/project_services`, { as: MARA })
    return json
      .filter(({ is_enabled }: { is_enabled: boolean }) => is_enabled)
      .map(({ name }: { name: string }) => name)
  }
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click()

  test('by mouse: name, icon and visibility change together, and undo brings them back', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: MARA })
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Orchard north')
    await page.getByRole('textbox', { name: 'Icon' }).fill('tree')
    await page.getByRole('radio', { name: 'Private' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shown(page, 'An icon is one emoji.')
    await inFocus(page.getByRole('textbox', { name: 'Icon' })).waitFor()
    expect(await project()).toMatchObject({ label_without_icon: 'Orchard', access: 'public' })

    await page.getByRole('textbox', { name: 'Icon' }).fill('🚜')
    await page.getByRole('checkbox', { name: 'Offer as a template' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shown(page, 'Saved.')
    expect(await project()).toMatchObject({ label: '🚜 Orchard north', access: 'private', is_template: true })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orchard north' }).waitFor()
    await undo(page)
    await expect.poll(project, patient).toMatchObject({ label: '🌳 Orchard', access: 'public', is_template: false })
    await expect.poll(() => page.getByRole('textbox', { name: 'Icon' }).inputValue(), patient).toBe('🌳')
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by mouse: services and the banner', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, SETTINGS, { as: MARA })
    await page.getByRole('checkbox', { name: 'Subversion repositories' }).uncheck()
    await expect.poll(services, patient).not.toContain('plugin_svn')
    await shown(page, 'Subversion repositories: off.')
    await undo(page)
    await expect.poll(services, patient).toContain('plugin_svn')

    await page.getByRole('textbox', { name: 'Message' }).fill('Harvest begins on Monday.')
    await page.getByRole('button', { name: 'Save the banner' }).click()
    await page.getByRole('button', { name: 'Remove the banner' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Orchard', exact: true }).click()
    await shown(page, 'Harvest begins on Monday.')
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by keyboard on a phone: archive and make active again', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, SETTINGS, { as: MARA, width: 390 })
    await tabTo(page.getByRole('button', { name: 'Archive' }))
    await page.keyboard.press('Enter')
    await shown(page, 'This project is archived')
    expect(await project()).toMatchObject({ status: 'archived' })
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    await tabTo(page.getByRole('button', { name: 'Make it active' }))
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    expect(await project()).toMatchObject({ status: 'active' })
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('a deletion says what it takes, and can be undone', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, SETTINGS, { as: MARA })
    await page.getByRole('button', { name: 'Delete Orchard…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('access for 4 members').waitFor()
    await inFocus(dialog.getByRole('button', { name: 'Cancel' })).waitFor()
    await dialog.getByRole('button', { name: 'Delete the project' }).click()
    await page.waitForURL('**/projects')
    await shown(page, 'Deleted “Orchard”.')
    expect((await api.get(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(404)
    await undo(page)
    await shown(page, 'Restored “Orchard”.')
    expect((await api.get(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by mouse: a deleted artifact comes back from the trash of the project', async () => {
    const values = [{ field_id: BUG.summary, value: 'Bees on strike' }]
    const { json } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: BUGS }, values } })
    await api.delete(`/artifacts/${json.id}`, { as: MARA })
    const { page, context: tab, complaints } = await visit(browser, api, SETTINGS, { as: MARA })
    await page.getByRole('link', { name: 'Trash' }).click()
    const restore = page.getByRole('button', { name: 'Restore Bees on strike' })
    await restore.click()
    await restore.waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: /^Purge/ }).count()).toBe(0)
    expect((await api.get(`/artifacts/${json.id}`, { as: MARA })).status).toBe(200)
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('a member watches the project, and undoes that', async () => {
    const level = async () => (await api.get(`/projects/${ORCHARD}/watch`, { as: TOM })).json
    const before = await level()
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: TOM })
    await chooseInMenu(page, 'Watch this project', 'Every change')
    await expect.poll(level, patient).toMatchObject({ level: 'all', inherited_from: null })
    await undo(page)
    await expect.poll(level, patient).toEqual(before)
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('the page of the project counts what is open and late, and names the values of a change', async () => {
    const values = [
      { field_id: BUG.summary, value: 'Ladder is too short' },
      { field_id: BUG.status, bind_value_ids: [BUG_STATUS.open] },
      { field_id: BUG.due, value: '2026-01-02' },
    ]
    clock.set(new Date(Date.now() + 60_000)) // Newer than what the other tests did.
    const { json } = await api.post('/artifacts', { as: TOM, body: { tracker: { id: BUGS }, values } })
    const change = { values: [{ field_id: BUG.points, value: 5 }] }
    expect((await api.put(`/artifacts/${json.id}`, { as: TOM, body: change })).status).toBe(200)
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: TOM })
    const overview = page.getByRole('region', { name: 'How the project stands' })
    await overview.getByText('Overdue').waitFor()
    await overview.getByText('Closed in 7 days').waitFor()
    const changed = page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first()
    await changed.getByRole('link', { name: 'Ladder is too short' }).waitFor()
    await changed.getByText('5', { exact: true }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Bugs' }).getByRole('link', { name: '1', exact: true }).click()
    await page.waitForURL('**/trackers/*')
    await page.getByRole('gridcell').getByRole('link', { name: 'Ladder is too short' }).waitFor()
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('other members see the members, and get no link to settings; others are told who sees them', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: TOM })
    await page.getByRole('heading', { name: 'Orchard', level: 1 }).waitFor()
    const members = page.getByRole('region', { name: 'Members' })
    await members.getByText('Uma Under').waitFor()
    expect(await members.getByRole('link').count()).toBe(0)
    expect(await page.getByRole('main').getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await page.goto(`${api.origin}${SETTINGS}`)
    await shown(page, 'Only administrators of this project can open its settings.')
    expect(complaints).toEqual([])
    await tab.close()

    const visitor = await visit(browser, api, '/projects/orchard', { as: OLGA })
    await shown(visitor.page, 'Only members of the project can see its members.')
    await visitor.context.close()
  })
})
