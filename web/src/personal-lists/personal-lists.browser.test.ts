import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { TOM, UMA } from '../../../server/test/fixtures/people.ts'
import { BUGS } from '../../../server/test/fixtures/seed-ids.ts'
import { tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('favourites and recently seen (needs Chromium: npm run setup)', async () => {
  const { api, clock, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const star = (page: Page) => page.getByRole('button', { name: 'Favourite', exact: true })
  const inSidebar = (page: Page, section: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('list', { name: section }).getByRole('link')
  const cards = (page: Page) => page.getByRole('list', { name: 'Recent and favourites' }).getByRole('link')
  const [walnuts, plums] = [crates.ids.get('Walnuts'), crates.ids.get('Plums')]

  test('by mouse: a star puts project, tracker and artifact into the sidebar and onto the home page', async () => {
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${walnuts}`, { as: TOM })
    await star(page).click()
    await expect.poll(() => inSidebar(page, 'Favourites').allTextContents()).toEqual(['Walnuts'])
    await page.goto(`${api.origin}/trackers/${BUGS}`)
    await star(page).click()
    await inSidebar(page, 'Favourites').nth(1).waitFor()
    await page.goto(`${api.origin}/projects/orchard`)
    await star(page).click()
    await expect.poll(() => inSidebar(page, 'Favourites').allTextContents()).toEqual(['Walnuts', 'Bugs', 'OROrchard'])
    await page.goto(`${api.origin}/artifacts/${plums}`)
    await expect.poll(() => inSidebar(page, 'Recent').allTextContents()).toEqual(['Plums'])
    await page.getByRole('link', { name: 'Home' }).click()
    await expect.poll(() => cards(page).count()).toBe(4)
    expect(await cards(page).allTextContents()).toEqual([
      expect.stringMatching(/^Plumscrate #\d+ · viewed .+$/),
      expect.stringMatching(/^Walnutscrate #\d+ · favourite$/),
      'BugsOrchard · favourite',
      'OROrchardProject · favourite',
    ])

    clock.set(new Date())
    await inSidebar(page, 'Favourites').first().click()
    await page.getByRole('heading', { name: 'Walnuts', level: 1 }).waitFor()
    await star(page).click()
    await expect.poll(() => inSidebar(page, 'Favourites').allTextContents()).toEqual(['Bugs', 'OROrchard'])
    // It is no favourite any more, but was opened last.
    await expect.poll(() => inSidebar(page, 'Recent').allTextContents()).toEqual(['Walnuts', 'Plums'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard: the star is switched on and off, and says so', async () => {
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${walnuts}`, { as: UMA })
    await tabTo(star(page))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Favourite', exact: true, pressed: true }).waitFor()
    await inSidebar(page, 'Favourites').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Favourite', exact: true, pressed: false }).waitFor()
    await expect.poll(async () => (await api.get('/users/self/favourites', { as: UMA })).json).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('without an account there is no star, and nothing is recorded', async () => {
    const before = await recorded()
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${walnuts}`)
    await page.getByRole('heading', { name: 'Walnuts', level: 1 }).waitFor()
    await page.reload() // Requests of the first load have been sent.
    await page.getByRole('heading', { name: 'Walnuts', level: 1 }).waitFor()
    expect(await star(page).count()).toBe(0)
    expect(await recorded()).toEqual(before)
    expect(complaints).toEqual([])
    await context.close()
  })

  const recorded = async () => (await api.get('/users/self/recently_seen', { as: TOM })).json
})
