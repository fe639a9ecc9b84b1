import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM, UMA } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('the board (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const board = `/trackers/${crates.tracker.id}/board`
  const idOf = (summary: string) => crates.ids.get(summary) ?? 0

  const valueOf = async (summary: string, field: string) => {
    const { json } = await api.get(`/artifacts/${idOf(summary)}?values_format=by_field&by_field_types=all`, {
      as: MARA,
    })
    return json.values_by_field[field]
  }
  const stored = async (summary: string, field = 'status') => {
    const { values } = await valueOf(summary, field)
    return values.map(({ label, username }: { label?: string; username?: string }) => username ?? label).join()
  }
  const put = (summary: string, values_by_field: object) =>
    api.put(`/artifacts/${idOf(summary)}`, { as: MARA, body: { values_by_field } })
  /** The column of a card, and the card count of that column. */
  const shownIn = (page: Page, summary: string) =>
    page.evaluate<string>(`(() => {
      const list = [...document.querySelectorAll('li > a')].find((each) => each.textContent === ${JSON.stringify(summary)})?.closest('[data-cell]')
      return list ? document.getElementById(list.getAttribute('aria-labelledby').split(' ')[0]).textContent : 'nowhere'
    })()`)
  const card = (page: Page, summary: string) => page.locator('[data-card]').getByRole('link', { name: summary })
  const head = (page: Page, label: string) =>
    page.locator('[data-head]').filter({ has: page.getByRole('heading', { name: label }) })
  const said = (page: Page, words: string | RegExp) =>
    page.getByRole('status', { name: 'Messages' }).getByText(words).waitFor()

  async function carry(page: Page, from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()]
    if (!start || !end) throw new Error('It is not to be seen.')
    await page.mouse.move(start.x + 8, start.y + 8)
    await page.mouse.down()
    await page.mouse.move(start.x + 30, start.y + 20)
    await page.mouse.move(end.x + Math.min(40, end.width / 2), end.y + 10, { steps: 3 })
  }

  test('by mouse: from the table to the board, along the workflow, undo, and a forbidden step', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${crates.tracker.id}`, { as: TOM })
    await page.getByRole('link', { name: 'Board', exact: true }).click()
    await card(page, 'Walnuts').waitFor()
    expect(await shownIn(page, 'Boskoop, unsorted')).toBe('Empty3')

    // While a card is held, columns that do not accept it show the reason.
    await carry(page, card(page, 'Boskoop, unsorted'), head(page, 'Packing'))
    await head(page, 'Shipped')
      .getByText(/from .?Empty.? to .?Shipped.*Possible: Packing\./)
      .waitFor()
    expect(await head(page, 'Packing').getAttribute('data-state')).toBe('over')
    await page.mouse.up()
    expect(await shownIn(page, 'Boskoop, unsorted')).toBe('Packing4')
    await said(page, /moved to Packing/)
    expect(await stored('Boskoop, unsorted')).toBe('Packing')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => stored('Boskoop, unsorted'), patient).toBe('Empty')
    expect(await shownIn(page, 'Boskoop, unsorted')).toBe('Empty3')

    // A step for another group: the group is named before the drop, and the card returns after it.
    await carry(page, card(page, 'Plums'), head(page, 'Checked'))
    await head(page, 'Checked').getByText('Allowed for: leads.').waitFor()
    await page.mouse.up()
    await said(page, /stays where it was.*Allowed for: leads\./)
    expect(await shownIn(page, 'Plums')).toBe('Packing3')

    // A step that requires a comment asks for it.
    await carry(page, card(page, 'Plums'), head(page, 'Shipped'))
    await page.mouse.up()
    await page.getByRole('dialog').getByText('This step needs a comment.').waitFor()
    expect(await shownIn(page, 'Plums')).toBe('Packing3')
    await page.getByRole('textbox', { name: 'Comment' }).fill('By the morning train.')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(() => stored('Plums'), patient).toBe('Shipped')
    await said(page, /moved to Shipped/)

    // Moves by other people are shown.
    await put('Walnuts', { status: 'Packing' })
    await expect.poll(() => shownIn(page, 'Walnuts'), patient).toBe('Packing3')

    // Without the live stream, a concurrent move is detected, and nothing is overwritten.
    await context.route('**/artifacts/live*', (route) => route.abort())
    await page.reload()
    await card(page, 'Walnuts').waitFor()
    await put('Walnuts', { status: 'Empty' })
    await carry(page, card(page, 'Walnuts'), head(page, 'Empty'))
    await page.mouse.up()
    await said(page, /Mara .* has moved crate #\d+ in the meantime/)
    expect(await shownIn(page, 'Walnuts')).toBe('Empty3')
    expect(complaints.filter((each) => !each.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  test('undo is offered only if the workflow allows the way back', async () => {
    const { ids } = crates
    const id = ids.get('Quinces for the jam kitchen on the other side of the river')
    const checked = await api.put(`/artifacts/${id}`, { as: UMA, body: { values_by_field: { status: 'Checked' } } })
    expect(checked.status).toBe(200)
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await carry(page, card(page, 'Quinces'), head(page, 'Packing'))
    await page.mouse.up()
    // Only leads may check a crate again.
    await said(page, /moved to Packing/)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)

    await carry(page, card(page, 'Cox'), head(page, 'Packing'))
    await page.mouse.up()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => stored('Cox for the market hall'), patient).toBe('Empty')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: to the cards, between columns and lanes, and by the dialog', async () => {
    const { page, context, complaints } = await visit(browser, api, `${board}?lanes=assigned_to`, { as: TOM })
    const { keyboard } = page
    const cox = card(page, 'Cox for the market hall')
    await card(page, 'Walnuts').waitFor()
    await tabTo(cox)
    await keyboard.press('ArrowRight')
    await inFocus(card(page, 'Pears, Williams')).waitFor()
    await keyboard.press('ArrowLeft')

    await keyboard.press('h')
    await page.getByText(/Picked up crate #\d+, from Empty\./).waitFor({ state: 'attached' })
    await keyboard.press('ArrowRight')
    await page.getByText('To Packing? Enter puts it there.').waitFor({ state: 'attached' })
    await keyboard.press('ArrowDown')
    await page.getByText('To Packing, Uma Under? Enter puts it there.').waitFor({ state: 'attached' })
    await keyboard.press('Enter')
    await inFocus(cox).waitFor()
    await expect.poll(() => stored('Cox for the market hall'), patient).toBe('Packing')
    expect(await stored('Cox for the market hall', 'assigned_to')).toBe('uma')
    await said(page, /moved to Packing, Uma Under/)

    // Escape puts the card back; a forbidden move leaves it in place and shows the reason.
    await keyboard.press('h')
    await keyboard.press('ArrowLeft')
    await keyboard.press('Escape')
    await keyboard.press('h')
    await keyboard.press('ArrowRight')
    await page.getByText(/To Checked\? .*Allowed for: leads\./).waitFor({ state: 'attached' })
    await keyboard.press('Space')
    await said(page, /stays where it was/)
    expect(await stored('Cox for the market hall')).toBe('Packing')

    await keyboard.press('m')
    await page.getByRole('dialog').getByText('Needs a comment').waitFor()
    expect(await page.getByRole('radio', { name: 'Checked' }).isDisabled()).toBe(true)
    // Tab enters the radio group, and arrow keys skip disabled options.
    await tabTo(page.getByRole('radio', { name: 'Empty' }))
    await keyboard.press('ArrowDown')
    await inFocus(page.getByRole('radio', { name: 'Shipped' })).waitFor()
    await keyboard.press('Tab')
    await keyboard.type('Gone.')
    await tabTo(page.getByRole('button', { name: 'Move', exact: true }))
    await keyboard.press('Enter')
    await expect.poll(() => stored('Cox for the market hall'), patient).toBe('Shipped')
    // The column of closed cards is collapsed, so the focus goes to a card that is shown.
    await inFocus(page.locator('[data-card] a')).waitFor()
    expect(await cox.count()).toBe(0)

    // The charts of the same cards.
    await tabTo(page.getByRole('link', { name: 'Charts', exact: true }), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.locator('canvas').nth(1).waitFor()
    const numbers = page.getByRole('region', { name: 'Status over time, as numbers' })
    await tabTo(page.getByText('Show the numbers').nth(1))
    await keyboard.press('Enter')
    expect(await numbers.getByRole('columnheader').allTextContents()).toEqual([
      'At the end of',
      'Empty',
      'Packing',
      'Shipped',
    ])
    const counts = await Promise.all([...crates.ids.keys()].map((summary) => stored(summary)))
    const today = ['Empty', 'Packing', 'Shipped'].map((label) => String(counts.filter((each) => each === label).length))
    expect(await numbers.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(today)
    const tom = page.getByRole('row', { name: /^Tom Tiller/ })
    expect(await tom.getByRole('cell').first().textContent()).toBe('2')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: the keys s, a, p and d change values of the focused card', async () => {
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    const { keyboard } = page
    const walnuts = card(page, 'Walnuts')
    await walnuts.focus()
    const pick = async (key: string, field: string, typed: string) => {
      await inFocus(walnuts).waitFor()
      await keyboard.press(key)
      await inFocus(page.getByRole('dialog', { name: field }).getByRole('combobox')).waitFor()
      await keyboard.type(typed)
      await keyboard.press('Enter')
    }
    const dueDay = async () => (await valueOf('Walnuts', 'due')).value.slice(0, 10)

    // The workflow forbids this step: the value says so, and Enter does not apply it.
    await pick('s', 'Status', 'ship')
    await page.getByRole('option', { name: 'Shipped', disabled: true }).getByText('Possible: Packing.').waitFor()
    await keyboard.press('Escape')
    await pick('s', 'Status', 'pack')
    await expect.poll(() => stored('Walnuts'), patient).toBe('Packing')
    await said(page, /saved Status/)
    expect(await shownIn(page, 'Walnuts')).toMatch(/^Packing/)

    await pick('a', 'Assigned to', 'tom')
    await expect.poll(() => stored('Walnuts', 'assigned_to'), patient).toBe('tom')
    await pick('d', 'Due', '24.12.2026')
    await expect.poll(dueDay, patient).toBe('2026-12-24')
    await said(page, /saved Due/)
    await keyboard.press('Control+z')
    await expect.poll(dueDay, patient).toBe('2026-12-01')
    await keyboard.press('p')
    await said(page, 'This tracker has no field named priority.')

    await pick('s', 'Status', 'ship')
    await page.getByRole('dialog').getByText('This step needs a comment.').waitFor()
    await keyboard.press('Escape')
    expect(await stored('Walnuts')).toBe('Packing')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('lanes appear as soon as a field is chosen, also one that the cards show', async () => {
    const { page, context, complaints } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Walnuts').waitFor()
    await chooseInMenu(page, 'Lanes', 'Assigned to')
    await page.getByRole('heading', { name: 'Uma Under' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('g before a key of the pickers goes to a page, on a card and on a row', async () => {
    const { page, context } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Walnuts').focus()
    for (const key of ['g', 's']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Password and sessions', level: 1 }).waitFor()
    await page.goto(`${api.origin}/trackers/${crates.tracker.id}`)
    await page.getByText('6 rows').waitFor()
    await page.getByRole('grid').focus()
    for (const key of ['ArrowDown', 'g', 's']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'Password and sessions', level: 1 }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.close()
  })

  test('a value that is for others says who may pick it; digits pick the others', async () => {
    expect((await put('Walnuts', { status: 'Packing' })).status).toBe(200)
    const { page, context } = await visit(browser, api, board, { as: TOM })
    await card(page, 'Walnuts').focus()
    await page.keyboard.press('s')
    await page.getByRole('option', { name: 'Checked', disabled: true }).getByText('Allowed for: leads.').waitFor()
    await page.keyboard.press('3') // Checked stays as it is.
    await page.getByRole('dialog', { name: 'Status' }).waitFor()
    await page.keyboard.press('1')
    await expect.poll(() => stored('Walnuts'), patient).toBe('Empty')
    await context.close()
  })
})
