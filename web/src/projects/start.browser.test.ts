import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { readWebUi, WEB_UI_FOLDER } from '../../../server/src/platform/http/web-ui.ts'
import { ADA, OLGA, type TestPerson } from '../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { startWorld } from '../../../server/test/harness/start-world.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'

describe.skipIf(CHROMIUM === undefined)('a site without projects (needs Chromium: npm run setup)', async () => {
  const webUi = await readWebUi(WEB_UI_FOLDER)
  if (!webUi) throw new Error('The pages are not built: npm run build.')
  const { api, context, clock } = await startWorld({
    seedOnce: true,
    webUi,
    environment: { WAYPOST_PUBLIC_URL: 'http://127.0.0.1' },
  })
  clock.set(new Date())
  await sql`update project set status = 'suspended' where id > 100`.execute(context.db)
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const choose = (chosen: object) =>
    sql`update setting set version = version + 1, chosen = ${JSON.stringify(chosen)}`.execute(context.db)
  const found = async (as: TestPerson, shortname: string) =>
    (await api.get(`/projects?query=${encodeURIComponent(JSON.stringify({ shortname }))}`, { as })).json
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

  test('by mouse: the home page leads to a first project with three more people', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/', { as: ADA })
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('0 of 4').waitFor()
    await steps.getByRole('link', { name: 'New project' }).click()
    await heading(page, 'New project')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Drive unit firmware')
    expect(await page.getByRole('textbox', { name: 'Short name' }).inputValue()).toBe('drive-unit-firmware')
    await page.getByRole('textbox', { name: 'Description' }).fill('Bootloader and motor control')
    expect(await page.getByRole('radio', { name: 'Private' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.waitForURL('**/projects/drive-unit-firmware')
    await heading(page, 'Drive unit firmware')

    expect(await found(ADA, 'drive-unit-firmware')).toMatchObject([
      { label: 'Drive unit firmware', access: 'private', description: 'Bootloader and motor control' },
    ])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Drive unit firmware' }).waitFor()

    await page.getByRole('link', { name: 'Add people' }).click()
    await page.getByRole('button', { name: 'Add people' }).click()
    const search = page.getByRole('combobox', { name: 'Name, login or e-mail address' })
    for (const [login, name] of [
      ['tom', 'Tom Tiller'],
      ['uma', 'Uma Under'],
      ['mara', 'Mara Keller'],
    ] as const) {
      await search.fill(login)
      await page.getByRole('option', { name }).click()
    }
    await page.getByRole('button', { name: 'Add 3 entries' }).click()
    await page.getByRole('region', { name: 'Members' }).getByText('Mara Keller', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Home' }).first().click()
    await steps.getByText('2 of 4').waitFor()
    await steps.getByRole('button', { name: 'Dismiss the first steps' }).click()
    await steps.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await steps.getByRole('button', { name: 'Dismiss the first steps' }).click()
    await page.getByText('The first steps are hidden.').first().waitFor()
    await page.reload()
    await page.getByText('Nothing open is assigned to you.').waitFor()
    expect(await steps.count()).toBe(0)
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by keyboard on a phone: a taken short name keeps all input, and gets the focus', async () => {
    const { page, context: tab } = await visit(browser, api, '/projects', { as: OLGA, width: 390 })
    const { keyboard } = page
    await page.getByText('You are not a member of a project yet.').waitFor()
    await tabTo(page.getByRole('main').getByRole('link', { name: 'New project' }).first())
    await keyboard.press('Enter')
    await inFocus(page.getByRole('textbox', { name: 'Name', exact: true })).waitFor()
    await keyboard.type('Drive unit firmware')
    await tabTo(page.getByRole('radio', { name: 'Private' }))
    await keyboard.press('ArrowDown')
    await tabTo(page.getByRole('button', { name: 'Create the project' }))
    await keyboard.press('Enter')

    await page.getByText('This short name is in use').waitFor()
    await inFocus(page.getByRole('textbox', { name: 'Short name' })).waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('drive-2')
    await keyboard.press('Enter')
    await page.waitForURL('**/projects/drive-2')
    expect(await found(OLGA, 'drive-2')).toMatchObject([{ label: 'Drive unit firmware', access: 'public' }])
    await tab.close()
  })

  test('people who may not create projects read whom to ask', async () => {
    await choose({ project_creation: 'site_admins', contact_email: 'help@waypost.example' })
    await sql`update project set status = 'suspended' where id > 100`.execute(context.db)
    const { page, context: tab, complaints } = await visit(browser, api, '/', { as: OLGA })
    await page.getByText('write to help@waypost.example').waitFor()
    expect(await page.getByRole('link', { name: 'New project' }).count()).toBe(0)
    await page.goto(`${api.origin}/projects/new`)
    await heading(page, 'You cannot create projects')
    await page.getByText('write to help@waypost.example').waitFor()
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('a project that needs approval says so before and after', async () => {
    await choose({ project_creation: 'approval' })
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/new', { as: OLGA })
    await page.getByText('A site administrator approves new projects.').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Test bench')
    await page.getByRole('button', { name: 'Request the project' }).click()
    await heading(page, 'Your project waits for approval')
    expect(await found(ADA, 'test-bench')).toMatchObject([{ status: 'pending' }])
    expect(complaints).toEqual([])
    await tab.close()
  })
})
