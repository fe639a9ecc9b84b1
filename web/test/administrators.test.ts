import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { LIFE, makeLink } from '../../server/src/accounts/mails/mailed-link.ts'
import { inTransaction } from '../../server/src/platform/database/db.ts'
import { placesOf, repositoryIn } from '../../server/src/repositories/disk/places.ts'
import { runTool } from '../../server/src/repositories/disk/run-tool.ts'
import { serveHooks } from '../../server/src/repositories/hooks/serve-hooks.ts'
import { CHROMIUM, startBrowser } from '../../server/test/browser.ts'
import { ADA, MARA, TOM, UMA } from '../../server/test/people.ts'
import { ORCHARD } from '../../server/test/places.ts'
import { ODD_NAME } from './garden.ts'
import { visit } from './visitor.ts'
import { startPages } from './world.ts'

const patient = { timeout: 15_000 }
const GARDEN = '/projects/orchard/repositories/garden'

describe.skipIf(CHROMIUM === undefined)('administrators (needs Chromium)', { timeout: 60_000 }, async () => {
  const { api, context } = await startPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()

  test('of a project make a repository, and give it a rule by which the svn client is refused', async () => {
    const hooks = await serveHooks(context)
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: MARA })
    await page.getByRole('button', { name: 'New repository' }).click()
    await page.getByLabel('Name').fill('garden')
    await page.getByRole('button', { name: 'Create the repository' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Name').fill('cellar')
    await page.getByRole('button', { name: 'Create the repository' }).click()
    await page.getByRole('link', { name: /^trunk/ }).waitFor()
    await shown(page, '/svn/orchard/cellar')

    const commit = async () => {
      const folder = repositoryIn(placesOf(context.config), { shortname: 'orchard', name: 'cellar' })
      const args = ['--non-interactive', '--username', 'mara', '-m', 'No number.', 'mkdir', `file://${folder}/trunk/x`]
      return runTool('svnmucc', args).then(
        () => 'committed',
        (error: unknown) => String(error),
      )
    }
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Every message names an artifact').check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await shown(page, 'Saved.')
    expect(await commit()).toContain('art #')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByLabel('Every message names an artifact').isChecked(), patient).toBe(false)
    expect(await commit()).toBe('committed')

    await page.getByLabel('Rules', { exact: true }).fill('[/trunk]\n@nobody-knows = rw\nnonsense')
    await page.getByRole('button', { name: 'Check it' }).click()
    await shown(page, 'Line 3:')
    await page.getByLabel('Rules', { exact: true }).fill('[/trunk]\n@nobody-knows = rw\n* = r')
    await page.getByRole('button', { name: 'Check it' }).click()
    await shown(page, 'Line 2: there is no group “nobody-knows”')
    await page.getByRole('button', { name: 'Save' }).nth(2).click()
    await expect
      .poll(() => page.getByLabel('Rules', { exact: true }).inputValue(), patient)
      .toContain('# @nobody-knows')
    await page.getByText('Earlier versions').click()
    await page.getByRole('button', { name: 'Put version 1 into the form' }).click()
    await expect.poll(() => page.getByLabel('Rules', { exact: true }).inputValue(), patient).toBe('')

    await page.getByRole('button', { name: 'Delete cellar' }).click()
    await page.getByRole('button', { name: 'Delete the repository' }).click()
    await shown(page, 'Deleted “cellar”.')
    await page.getByRole('link', { name: 'cellar' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await tab.close()
    await hooks.close()
  })

  test('and everybody else: read a repository by keyboard, by addresses that can be sent on', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, `${GARDEN}/tree/trunk/src`, { as: TOM })
    const { keyboard } = page
    const at = () => new URL(page.url())
    await page.getByRole('link', { name: 'pump.ts' }).focus()
    await keyboard.press('Enter')
    await shown(page, 'readPressure')
    await keyboard.press('l')
    await keyboard.type('4')
    await keyboard.press('Enter')
    await page.locator('mark', { hasText: 'const LIMIT = 4' }).waitFor()
    expect(at().hash).toBe('#L4')
    await page.getByRole('heading', { level: 1 }).focus()
    await keyboard.press('y')
    await shown(page, 'at revision 4')
    expect(at().search + at().hash).toBe('?rev=4#L4')
    await keyboard.press('b')
    await shown(page, 'Who wrote pump.ts')
    await shown(page, 'uma')
    await keyboard.press('h')
    await shown(page, 'Measured: four bar.')
    expect(await page.getByRole('link', { name: 'art #7' }).getAttribute('href')).toBe('/artifacts/7')
    await page.getByRole('link', { name: 'Revision 3' }).focus()
    await keyboard.press('Enter')
    await page.locator('del', { hasText: 'const LIMIT = 6' }).waitFor()
    await keyboard.press('n')
    await shown(page, 'copied from /trunk at revision 3')

    await page.goto(`${api.origin}${GARDEN}/tree/trunk`)
    await page.getByRole('link', { name: ODD_NAME }).click()
    await page.locator('pre', { hasText: 'odd' }).waitFor()
    const download = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
    expect(await page.evaluate<string>(`fetch(${JSON.stringify(download)}).then((answer) => answer.text())`)).toBe(
      'odd\n',
    )
    await page.reload()
    await page.locator('pre', { hasText: 'odd' }).waitFor()
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('of the site change the deletion limit, retry a job and bring back what was deleted', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/', { as: ADA })
    const { keyboard } = page
    const limit = async () => (await api.get('/settings', { as: ADA })).json.artifact_deletion_limit
    await shown(page, 'Hello, Ada')
    await keyboard.press('Control+k')
    await page.getByRole('menuitem', { name: 'Go to: Home' }).waitFor()
    await keyboard.type('site admin')
    await page.getByRole('menuitem', { name: 'Go to: Home' }).waitFor({ state: 'detached' })
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await shown(page, 'Failed jobs')
    await page.getByRole('link', { name: 'Jobs', exact: true }).focus()
    await keyboard.press('Enter')
    await shown(page, 'store not reachable')
    await page.getByRole('button', { name: /^Retry/ }).focus()
    await keyboard.press('Enter')
    await shown(page, 'It is tried again')
    await shown(page, 'No job has failed.')
    expect((await api.get('/jobs?state=waiting&type=webhook_delivery', { as: ADA })).json).toHaveLength(1)

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Deletion limit').fill('many')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Deletion limit').fill('25')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await expect.poll(limit, patient).toBe(25)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(limit, patient).toBe(100)

    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore Bees on strike' }).click()
    await shown(page, 'Restored “Bees on strike”.')
    await page.getByRole('button', { name: 'Purge Ladder without rungs' }).click()
    await page.getByRole('button', { name: 'Purge it now' }).click()
    await shown(page, '“Ladder without rungs” is gone.')

    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByLabel('Name, login or e-mail address').fill('uma')
    await keyboard.press('Enter')
    await page.getByRole('link', { name: 'Uma Under' }).click()
    await page.getByLabel('Suspended').click()
    const status = async () => (await api.get(`/users/${UMA.id}`, { as: ADA })).json.status
    await expect.poll(status, patient).toBe('S')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(status, patient).toBe('A')
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('are not who is none: nothing is asked in their name', async () => {
    const { page, context: tab } = await visit(browser, api, '/administration/audit', { as: TOM })
    await shown(page, 'This is for site administrators')
    const { json } = await api.get(`/audit?actor=${TOM.id}&outcome=refused`, { as: ADA })
    expect(json).toEqual([])
    expect(await page.getByRole('link', { name: 'Site administration' }).count()).toBe(0)
    await tab.close()
  })

  test('invite somebody, who makes an account by the mailed link and is in the project', async () => {
    const invited = { email: 'nina@orchard.example', project_id: ORCHARD, invited_by: MARA.id }
    const link = await inTransaction(context.db, (tx) => makeLink(tx, context, 'invitation', LIFE.invitation, invited))
    const { pathname, hash } = new URL(link)
    const { page, context: tab, complaints } = await visit(browser, api, `${pathname}${hash}`)
    await shown(page, 'become a member of Orchard')
    expect(page.url()).not.toContain(hash)
    await page.getByLabel('Login').fill('mara')
    await page.getByLabel('Your name').fill('Nina New')
    await page.getByLabel('Password').fill('a quite different horse')
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Login').fill('nina')
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.waitForURL('**/projects/orchard')
    await shown(page, 'Nina New')
    expect(complaints).toEqual([])
    await tab.close()
  })
})
