import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { readWebUi, WEB_UI_FOLDER } from '../../../server/src/platform/http/web-ui.ts'
import { MARA } from '../../../server/test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../server/test/fixtures/seed-ids.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { startWorld } from '../../../server/test/harness/start-world.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'

const patient = { timeout: 30_000 }

describe.skipIf(CHROMIUM === undefined)('the people of a project (needs Chromium: npm run setup)', async () => {
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
  const logins = (group: string | number) => async () =>
    (await api.get(`/user_groups/${group}/users?limit=50`, { as: MARA })).json.map(
      ({ username }: { username: string }) => username,
    )
  const [members, admins, leads] = [logins(`${ORCHARD}_3`), logins(`${ORCHARD}_4`), logins(LEADS)]
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).last().click()

  test('by mouse: add a person, a group and an address; change a role, remove a member, and undo', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: MARA })
    await page.getByRole('link', { name: 'Add people' }).click()
    await page.getByRole('button', { name: 'Add people' }).click()
    const search = page.getByRole('combobox', { name: 'Name, login or e-mail address' })
    await search.fill('olga')
    await page.getByRole('option', { name: 'Olga Outside' }).click()
    await search.fill('uma')
    await page.getByRole('option', { name: 'Uma Under' }).and(page.locator('[aria-disabled="true"]')).waitFor()
    await search.fill('nina@waypost.example')
    await page.getByRole('option', { name: 'Invite nina@waypost.example' }).click()
    await page.getByRole('option', { name: 'Everyone in leads' }).click()
    await page.getByRole('button', { name: 'Add 3 entries' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(members, patient).toEqual(['gus', 'mara', 'olga', 'sam', 'tom', 'uma'])
    await page.getByRole('region', { name: 'Invitations' }).getByText('nina@waypost.example').waitFor()

    const choose = async (person: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${person}` }).click()
      await page.getByRole('button', { name: action, exact: true }).click()
    }
    // A menu closes when its row is drawn anew, so the row has to show the change first.
    const has = (person: string, role: string) =>
      page.getByRole('listitem').filter({ hasText: person }).getByText(role, { exact: true }).waitFor()
    const chooseRole = async (person: string, role: RegExp) => {
      await page.getByRole('button', { name: `Role of ${person}` }).click()
      await page.getByRole('option', { name: role }).click()
    }
    await chooseRole('Olga Outside', /^Administrator/)
    await expect.poll(admins, patient).toEqual(['mara', 'olga'])
    await has('Olga Outside', 'Administrator')
    await choose('Olga Outside', 'Remove')
    await expect.poll(members, patient).not.toContain('olga')
    await undo(page)
    await expect.poll(admins, patient).toEqual(['mara', 'olga'])

    await has('Olga Outside', 'Administrator')
    await chooseRole('Olga Outside', /^Member/)
    await expect.poll(admins, patient).toEqual(['mara'])
    await has('Olga Outside', 'Member')
    await page.getByRole('button', { name: 'Role of Mara Keller' }).click()
    const plain = page.getByRole('option', { name: /^Member/ }).and(page.locator('[aria-disabled="true"]'))
    await plain.getByText('A project needs at least one administrator.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Mara Keller' }).click()
    const leave = page.getByRole('button', { name: 'Leave project' }).and(page.locator(':disabled'))
    await leave.getByText('A project needs at least one administrator.').waitFor()
    await page.keyboard.press('Escape')
    expect(await members()).toContain('mara')
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by keyboard on a phone: create a group, fill it, rename it', async () => {
    const {
      page,
      context: tab,
      complaints,
    } = await visit(browser, api, '/projects/orchard/settings/groups', {
      as: MARA,
      width: 390,
    })
    const { keyboard } = page
    await page.getByRole('region', { name: 'leads' }).getByText('Uma Under').waitFor()
    await tabTo(page.getByRole('button', { name: 'New group' }))
    await keyboard.press('Enter')
    await inFocus(page.getByRole('textbox', { name: 'Name of the group' })).waitFor()
    await keyboard.type('Leads')
    await keyboard.press('Enter')
    await shown(page, 'This project has a group of this name.')
    await keyboard.press('Control+a')
    await keyboard.type('pickers')
    await keyboard.press('Enter')
    await page.getByRole('region', { name: 'pickers' }).waitFor()

    await tabTo(page.getByRole('button', { name: 'Add people to pickers' }))
    await keyboard.press('Enter')
    await inFocus(page.getByRole('combobox')).waitFor()
    await keyboard.type('tom')
    await page.getByRole('option', { name: 'Tom Tiller' }).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'Tom Tiller' }).waitFor()
    await tabTo(page.getByRole('button', { name: 'Add 1 entry' }))
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Tom Tiller from pickers' }).waitFor()

    await tabTo(page.getByRole('button', { name: 'Rename pickers' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await inFocus(page.getByRole('textbox', { name: 'Name of the group' })).waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('harvesters')
    await keyboard.press('Enter')
    await page.getByRole('region', { name: 'harvesters' }).getByText('Tom Tiller').waitFor()

    // A group in use stays, and the dialog names the trackers.
    await page.getByRole('button', { name: 'Delete leads' }).click()
    await page.getByRole('button', { name: 'Delete the group' }).click()
    await page.getByRole('list', { name: 'Where it is used' }).getByText('Bugs').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete harvesters' }).click()
    await page.getByRole('button', { name: 'Delete the group' }).click()
    await shown(page, 'Deleted the group “harvesters”.')
    await page.getByRole('region', { name: 'harvesters' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by mouse: remove a person from a group, and undo', async () => {
    const {
      page,
      context: tab,
      complaints,
    } = await visit(browser, api, '/projects/orchard/settings/groups', { as: MARA })
    await page.getByRole('button', { name: 'Remove Uma Under from leads' }).click()
    await expect.poll(leads, patient).toEqual(['gus'])
    await undo(page)
    await expect.poll(leads, patient).toEqual(['gus', 'uma'])
    expect(complaints).toEqual([])
    await tab.close()
  })
})
