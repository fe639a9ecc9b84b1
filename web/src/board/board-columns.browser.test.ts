import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact } from '../../../server/test/fixtures/every-field.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('columns of the board (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const board = `/trackers/${crates.tracker.id}/board`
  const byHand = `${board}?q=${encodeURIComponent('ORDER BY @rank')}`
  const card = (page: Page, title: string) => page.locator('[data-card]').filter({ hasText: title })
  const cell = (page: Page, column: number) => page.locator(`[data-cell="${column}"]`)
  const titles = (page: Page, column: number) => cell(page, column).locator('li > a').allTextContents()
  const said = (page: Page, words: string | RegExp) =>
    page.getByRole('status', { name: 'Messages' }).getByText(words).waitFor()
  /** The stored order of these titles. */
  const ordered = async (...some: string[]) => {
    const { json } = await api.get(`/trackers/${crates.tracker.id}/artifacts?order_by=rank&limit=1000`, { as: MARA })
    return json.map(({ title }: { title: string }) => title).filter((title: string) => some.includes(title))
  }
  const middleOf = async (element: Locator) => {
    const box = await element.boundingBox()
    if (!box) throw new Error('It is not to be seen.')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, top: box.y }
  }

  test('a column of closed cards starts collapsed; expanded and collapsed columns are remembered', async () => {
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Walnuts').waitFor()
    const head = (name: string) => page.getByRole('button', { name, exact: true })
    expect((await page.locator('[data-head="3"]').boundingBox())?.width).toBe(40)
    await head('Expand Shipped').click()
    await head('Collapse Packing').click()
    await card(page, 'Plums').waitFor({ state: 'detached' })
    await page.reload()
    await card(page, 'Walnuts').waitFor()
    await head('Collapse Shipped').waitFor()
    expect(await card(page, 'Plums').count()).toBe(0)

    // Arrow keys go past a collapsed column, and a card can be dropped on it.
    await card(page, 'Walnuts').getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await said(page, /moved to Packing/)
    await card(page, 'Walnuts').waitFor({ state: 'detached' })
    await inFocus(page.locator('[data-card] a')).waitFor()
    await page.keyboard.press('Control+z')
    await card(page, 'Walnuts').waitFor()
    await tabTo(head('Expand Packing'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await card(page, 'Plums').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('an administrator limits a column; a column with more cards says so to everyone', async () => {
    const administrator = await visit(browser, api, board, { as: MARA })
    const limit = administrator.page.getByRole('button', { name: 'Limit of Packing' })
    await limit.click()
    await administrator.page.getByRole('spinbutton', { name: 'Limit' }).fill('2')
    await administrator.page.keyboard.press('Enter')
    await said(administrator.page, 'The limit of Packing is 2.')
    await administrator.page.getByText('One more than the limit').waitFor()

    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await page.getByText('One more than the limit').waitFor()
    expect(await page.locator('[data-head="1"] h2').textContent()).toBe('Packing3 / 2')
    expect(await page.getByRole('button', { name: 'Limit of Packing' }).count()).toBe(0)
    await administrator.page.getByRole('button', { name: 'Undo' }).click()
    await administrator.page.getByText('One more than the limit').waitFor({ state: 'detached' })
    await page.reload()
    await card(page, 'Plums').waitFor()
    expect(await page.locator('[data-head="1"] h2').textContent()).toBe('Packing3')
    expect([...complaints, ...administrator.complaints]).toEqual([])
    await context.close()
    await administrator.context.close()
  })

  test('cards are added at the end of a column, one after the other, where the workflow lets them begin', async () => {
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Walnuts').waitFor()
    expect(await page.getByRole('button', { name: /^Add crate/ }).count()).toBe(2)
    const add = page.getByRole('button', { name: 'Add crate to Packing' })
    await add.click()
    const title = page.getByRole('textbox', { name: 'Title of the new card in Packing' })
    for (const name of ['Medlars', 'Sloes']) {
      await title.fill(name)
      await page.keyboard.press('Enter')
      await cell(page, 1).locator('[data-card]').filter({ hasText: name }).waitFor()
      await inFocus(title).waitFor()
    }
    // A refusal keeps the typed title.
    await title.fill('x'.repeat(10))
    await context.route('**/api/artifacts', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 403, message: 'Not today.' } } }),
    )
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await title.inputValue()).toBe('x'.repeat(10))
    await page.keyboard.press('Escape')
    await inFocus(add).waitFor()
    expect(complaints).toEqual([])
    await context.close()

    const reader = await visit(browser, api, board, { as: OLGA })
    await card(reader.page, 'Walnuts').waitFor()
    expect(await reader.page.getByRole('button', { name: /^Add crate/ }).count()).toBe(0)
    await reader.context.close()
  })

  test('cards are ordered by hand: by mouse, by keyboard, and with undo', async () => {
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Walnuts').waitFor()
    await chooseInMenu(page, 'Order', 'By hand')
    await page.waitForURL(/ORDER/)
    const some = ['Cox for the market hall', 'Boskoop, unsorted', 'Walnuts']
    await expect.poll(() => titles(page, 0), patient).toEqual(some)
    const [cox = '', boskoop = '', walnuts = ''] = some

    const [from, to] = [await middleOf(card(page, walnuts)), await middleOf(card(page, cox))]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y - 20)
    await page.mouse.move(to.x, to.top + 4, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => ordered(...some), patient).toEqual([walnuts, cox, boskoop])
    expect(await titles(page, 0)).toEqual([walnuts, cox, boskoop])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => ordered(...some), patient).toEqual(some)
    await expect.poll(() => titles(page, 0), patient).toEqual(some)

    await card(page, boskoop).getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowUp')
    await expect.poll(() => ordered(...some), patient).toEqual([boskoop, cox, walnuts])
    await inFocus(card(page, boskoop).getByRole('link')).waitFor()
    for (const key of ['h', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await page.getByText('To Empty? Enter puts it there.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText(/To Empty, before crate #\d+\? Enter/).waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await expect.poll(() => ordered(...some), patient).toEqual(some)

    // Into another column, to a place between its cards.
    for (const key of ['h', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    const packing = ['Quinces for the jam kitchen on the other side of the river', boskoop, 'Pears, Williams']
    await expect.poll(async () => (await titles(page, 1)).slice(0, 3), patient).toEqual(packing)
    await expect.poll(() => ordered(...packing), patient).toEqual(packing)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a long press picks a card up on a touch screen, and an early movement scrolls', async () => {
    const { page, context, complaints } = await visit(browser, api, byHand, { as: TOM, width: 390, hasTouch: true })
    await card(page, 'Plums').waitFor()
    const touch = await context.newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [{ x: at.x, y: at.y }] : [] })
    await page.locator('[data-head="1"]').evaluate((head) => head.scrollIntoView({ inline: 'start', block: 'nearest' }))
    const packing = await titles(page, 1)
    await card(page, 'Plums').scrollIntoViewIfNeeded()
    const from = await middleOf(card(page, 'Plums'))
    await send('touchStart', from)
    await send('touchMove', { x: from.x, y: from.y - 60 })
    await send('touchEnd')
    expect(await page.locator('[data-held="true"]').count()).toBe(0)

    const plums = await middleOf(card(page, 'Plums'))
    await send('touchStart', plums)
    await page.locator('[data-held="true"]').waitFor()
    const above = packing[packing.indexOf('Plums') - 1] ?? ''
    const target = await middleOf(card(page, above))
    for (let step = 1; step <= 5; step++)
      await send('touchMove', { x: plums.x, y: plums.y + ((target.top + 4 - plums.y) * step) / 5 })
    await cell(page, 1).locator('li[aria-hidden="true"]').waitFor()
    await send('touchEnd')
    const after = packing.flatMap((title) => (title === 'Plums' ? [] : title === above ? ['Plums', above] : [title]))
    await expect.poll(() => titles(page, 1), patient).toEqual(after)
    await expect.poll(() => ordered(...packing), patient).toEqual(after)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('each column scrolls alone below its header', async () => {
    for (let count = 0; count < 20; count++)
      await makeTestArtifact(api, crates.tracker, { summary: `Apples ${count}`, status: 'Empty' })
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Apples 19').waitFor()
    const sizes = (column: number) =>
      cell(page, column).evaluate((list) => ({ isLong: list.scrollHeight > list.clientHeight, top: list.scrollTop }))
    expect(await sizes(0)).toEqual({ isLong: true, top: 0 })
    const head = await page.locator('[data-head="0"]').boundingBox()
    await card(page, 'Cox for the market hall').scrollIntoViewIfNeeded()
    expect((await sizes(0)).top).toBeGreaterThan(0)
    expect(await sizes(1)).toMatchObject({ top: 0 })
    expect(await page.locator('[data-head="0"]').boundingBox()).toEqual(head)
    expect(complaints).toEqual([])
    await context.close()
  })
})
