import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { getSvnFolders, repositoryFolder } from '../../../server/src/repositories/disk/svn-folders.ts'
import { runTool } from '../../../server/src/repositories/disk/run-tool.ts'
import { serveHooks } from '../../../server/src/repositories/hooks/serve-hooks.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { makeGarden, ODD_NAME } from '../../test/garden.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
const GARDEN = '/projects/orchard/repositories/garden'

describe.skipIf(CHROMIUM === undefined)('a repository (needs Chromium: npm run setup)', async () => {
  const world = await startFewPages()
  await makeGarden(world)
  const { api, context } = world
  const hooks = await serveHooks(context)
  const browser = await startBrowser()
  afterAll(async () => {
    await browser.close()
    await hooks.close()
  })
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** Commits by the svn client; returns `committed` or the refusal. */
  async function commitTo(name: string): Promise<string> {
    const folder = repositoryFolder(getSvnFolders(context.config), { shortname: 'orchard', name })
    const args = ['--non-interactive', '--username', 'mara', '-m', 'No number.', 'mkdir', `file://${folder}/trunk/x`]
    return runTool('svnmucc', args).then(
      () => 'committed',
      (error: unknown) => String(error),
    )
  }

  test('by mouse: a project administrator creates one, with a rule that refuses a commit of the svn client', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: MARA })
    await page.getByRole('button', { name: 'New repository' }).click()
    await page.getByLabel('Name').fill('garden')
    await page.getByRole('button', { name: 'Create the repository' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Name').fill('cellar')
    await page.getByRole('button', { name: 'Create the repository' }).click()
    await page.getByRole('link', { name: /^trunk/ }).waitFor()
    await shown(page, '/svn/orchard/cellar')

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Every message names an artifact').check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await shown(page, 'Saved.')
    expect(await commitTo('cellar')).toContain('art #')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByLabel('Every message names an artifact').isChecked(), patient).toBe(false)
    expect(await commitTo('cellar')).toBe('committed')

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
  })

  test('by keyboard alone: a project administrator creates one, with a rule that refuses a commit of the svn client', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: MARA })
    const { keyboard } = page
    await button(page, 'New repository').waitFor()
    await tabTo(button(page, 'New repository'))
    await keyboard.press('Enter')
    await inFocus(page.getByLabel('Name')).waitFor()
    await keyboard.type('garden')
    await tabTo(button(page, 'Create the repository'))
    await keyboard.press('Enter')
    await page.locator('[aria-invalid="true"]').waitFor()
    // A refusal leaves the focus in place.
    await inFocus(button(page, 'Create the repository')).waitFor()
    await tabTo(page.getByLabel('Name'), 'Shift+Tab')
    await keyboard.type('attic')
    await keyboard.press('Enter')
    await inFocus(page.getByRole('heading', { name: 'attic', level: 1 })).waitFor()

    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await tabTo(page.getByRole('link', { name: 'Settings' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await inFocus(page.getByRole('heading', { name: 'Settings of attic', level: 1 })).waitFor()
    const rule = page.getByLabel('Every message names an artifact')
    await rule.waitFor()
    await tabTo(rule)
    await keyboard.press('Space')
    await tabTo(button(page, 'Save'))
    await keyboard.press('Enter')
    await shown(page, 'Saved.')
    await inFocus(button(page, 'Save')).waitFor()
    expect(await commitTo('attic')).toContain('art #')
    await keyboard.press('u')
    await expect.poll(() => rule.isChecked(), patient).toBe(false)
    expect(await commitTo('attic')).toBe('committed')

    const rules = page.getByLabel('Rules', { exact: true })
    await tabTo(rules)
    await keyboard.type('[/trunk]\n@nobody-knows = rw\nnonsense')
    await tabTo(button(page, 'Check it'))
    await keyboard.press('Enter')
    await shown(page, 'Line 3:')
    await tabTo(rules, 'Shift+Tab')
    await keyboard.press('Control+a')
    await keyboard.type('[/trunk]\n@nobody-knows = rw\n* = r')
    await tabTo(button(page, 'Save'))
    await keyboard.press('Enter')
    await expect.poll(() => rules.inputValue(), patient).toContain('# @nobody-knows')
    await tabTo(page.locator('summary', { hasText: 'Earlier versions' }))
    await keyboard.press('Enter')
    await button(page, 'Put version 1 into the form').waitFor()
    await tabTo(button(page, 'Put version 1 into the form'))
    await keyboard.press('Enter')
    await expect.poll(() => rules.inputValue(), patient).toBe('')

    await tabTo(button(page, 'Delete attic'))
    await keyboard.press('Enter')
    await inFocus(button(page, 'Cancel')).waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await shown(page, 'Deleted “attic”.')
    await inFocus(page.getByRole('heading', { name: 'Orchard', level: 1 })).waitFor()
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by mouse: members read one, with addresses that can be shared', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/projects/orchard', { as: TOM })
    const at = () => new URL(page.url())
    const open = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
    for (const step of [/^garden/, /^trunk/, /^src/, /^pump\.ts/]) {
      await page.getByRole('link', { name: step }).last().click()
    }
    await shown(page, 'readPressure')
    await open('Line 4')
    await page.locator('mark', { hasText: 'const LIMIT = 4' }).waitFor()
    expect(at().hash).toBe('#L4')
    await open('Link to this revision')
    await shown(page, 'at revision 4')
    expect(at().search + at().hash).toBe('?rev=4#L4')
    await open('Who wrote it')
    await shown(page, 'Who wrote pump.ts')
    await shown(page, 'uma')
    await page.locator('main').getByRole('link', { name: 'History' }).last().click()
    await shown(page, 'Measured: four bar.')
    await open('Revision 3')
    await page.locator('del', { hasText: 'const LIMIT = 6' }).waitFor()
    await page.getByRole('navigation', { name: 'Other revisions' }).getByRole('link').last().click()
    await shown(page, 'copied from /trunk at revision 3')

    await page.goto(`${api.origin}${GARDEN}/tree/trunk`)
    await open(ODD_NAME)
    await page.locator('pre', { hasText: 'odd' }).waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
    expect(await readFile(await file.path(), 'utf8')).toBe('odd\n')
    await page.reload()
    await page.locator('pre', { hasText: 'odd' }).waitFor()

    await page.setViewportSize({ width: 900, height: 320 })
    await page.goto(`${api.origin}${GARDEN}/revisions/3#/trunk%2Fsrc/pump.ts`)
    const changed = page.getByRole('region', { name: 'pump.ts' })
    const top = () => changed.evaluate((element) => element.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(160)
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by keyboard alone: members read one, with addresses that can be shared', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, `${GARDEN}/tree/trunk/src`, { as: TOM })
    const { keyboard } = page
    const at = () => new URL(page.url())
    const open = async (name: string | RegExp) => {
      const link = page.locator('main').getByRole('link', { name }).last()
      await link.waitFor()
      await tabTo(link)
      await keyboard.press('Enter')
    }
    await open('pump.ts')
    await shown(page, 'readPressure')
    await keyboard.press('l')
    await keyboard.type('4')
    await keyboard.press('Enter')
    await page.locator('mark', { hasText: 'const LIMIT = 4' }).waitFor()
    expect(at().hash).toBe('#L4')
    // Shortcuts do not work in an input: wait until the focus has left it.
    await inFocus(page.getByRole('heading', { name: 'Content' })).waitFor()
    await keyboard.press('y')
    await shown(page, 'at revision 4')
    expect(at().search + at().hash).toBe('?rev=4#L4')
    await keyboard.press('b')
    await shown(page, 'Who wrote pump.ts')
    await shown(page, 'uma')
    await keyboard.press('h')
    await shown(page, 'Measured: four bar.')
    expect(await page.getByRole('link', { name: 'art #7' }).getAttribute('href')).toBe('/artifacts/7')
    await open('Revision 3')
    await page.locator('del', { hasText: 'const LIMIT = 6' }).waitFor()
    await keyboard.press('n')
    await shown(page, 'copied from /trunk at revision 3')

    await tabTo(page.getByRole('link', { name: 'Files' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await open(/^trunk/)
    await open(ODD_NAME)
    await page.locator('pre', { hasText: 'odd' }).waitFor()
    await tabTo(button(page, 'Download'))
    const [file] = await Promise.all([page.waitForEvent('download'), keyboard.press('Enter')])
    expect(await readFile(await file.path(), 'utf8')).toBe('odd\n')
    expect(complaints).toEqual([])
    await tab.close()
  })
})
