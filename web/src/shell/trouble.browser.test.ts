import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('trouble around a page (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test('a part that cannot be loaded leaves the page as it is, and is loaded at the next attempt', async () => {
    const { page, context } = await visit(browser, api, '/projects', { as: TOM })
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await page.route('**/shortcut-list-*.js', (route) => route.abort())
    await page.keyboard.press('?')
    await page.getByText('This part of the page could not be loaded.').waitFor()
    expect(await page.getByRole('heading', { name: 'Projects', level: 1 }).isVisible()).toBe(true)
    await page.unroute('**/shortcut-list-*.js')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await context.close()
  })

  test('a screen that cannot be loaded keeps the sidebar, and can be tried again', async () => {
    const { page, context } = await visit(browser, api, '/projects', { as: TOM })
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await page.route('**/inbox-page-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true)
    await page.unroute('**/inbox-page-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    await context.close()
  })

  test('a file that is dropped beside the places for files does not replace the page', async () => {
    const id = crates.ids.get('Plums')
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    await page.getByRole('heading', { name: 'Plums', level: 1 }).waitFor()
    const isPrevented = await page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['weights'], 'weights.txt'))
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('h1').dispatchEvent(drop)
      return drop.defaultPrevented
    })()`)
    expect(isPrevented).toBe(true)
    await page.getByText('Drop files on a field for files, or on the comment.').waitFor()
    await context.close()
  })
})
