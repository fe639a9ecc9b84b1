import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestTracker } from '../../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { plantHarvest } from '../../test/harvest.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('the table (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const harvest = await plantHarvest(api)
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${harvest}`
  const rows = (page: Page) => page.getByRole('row')
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const shown = (page: Page, words: string) => page.getByText(words).first().waitFor()
  const all = async () => (await api.get(`${path}/artifacts?values=all&limit=1000`, { as: TOM })).json
  // oxlint-disable-next-line typescript/no-explicit-any -- of an answer
  const idOf = async (name: string) => (await all()).find(({ title }: any) => title === name).id
  const write = (id: number, values_by_field: object) =>
    api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field } })
  const stored = async (id: number, field: string) => {
    const { json } = await api.get(`/artifacts/${id}?values_format=all&by_field_types=all`, { as: TOM })
    return json.values_by_field[field]
  }

  /** The axe violations of the open dialog. */
  const violations = async (page: Page) =>
    (await new AxeBuilder({ page }).include('[role="dialog"]').analyze()).violations.map(({ id }) => id)

  test('by mouse: filter, sort, choose columns, save a report, and open it again', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await shown(page, '300 rows')
    expect(await rows(page).count()).toBeLessThan(60)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Field').selectOption('Crates')
    await page.getByLabel('Operator').selectOption('>=')
    await page.getByLabel('Value').fill('35')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a filter' }).click()
    await shown(page, 'Crates >= 35')
    await page.getByRole('columnheader', { name: 'Crates' }).click()
    await page.getByRole('button', { name: 'Query language' }).click()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'query language' }).inputValue(), patient)
      .toBe('crates >= 35 ORDER BY crates')
    await expect.poll(() => rows(page).nth(1).textContent(), patient).toContain('35')
    expect(await page.getByRole('columnheader', { name: 'Crates' }).getAttribute('aria-sort')).toBe('ascending')

    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Ripe on' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Ripe on' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'More', exact: true }).click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save as…' }).click()
    await page.getByLabel('Name').fill('Many crates')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/report=\d+$/)
    await page.reload()
    await shown(page, 'Crates >= 35')
    expect(await page.getByRole('columnheader', { name: 'Ripe on' }).count()).toBe(0)
    const { json } = await api.get(`${path}/artifacts?query=${encodeURIComponent('{"crates":">=35"}')}`, { as: TOM })
    await shown(page, `${json.length} rows`)

    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
    await page.keyboard.press('Escape')
    expect(file.suggestedFilename()).toBe('Many crates.csv')
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')[0]).toBe(
      '\uFEFFid,name,state,picker,crates,last_update',
    )
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'As an API call' }).click()
    expect(await page.locator('code', { hasText: 'curl' }).textContent()).toContain('expert_query=crates+%3E%3D+35')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: complete a query, move to the last row, and open it', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    const { keyboard } = page
    await shown(page, '300 rows')
    const query = page.getByRole('combobox', { name: 'query language' })
    await keyboard.press('f')
    await inFocus(query).waitFor()
    await keyboard.type('sta')
    await page.getByRole('listbox').getByRole('option', { name: 'state' }).waitFor()
    for (const key of ['ArrowDown', 'Enter', 'ArrowDown', 'Enter', 'ArrowDown', 'Enter']) await keyboard.press(key)
    expect(await query.inputValue()).toBe('state = "Open" ')
    await keyboard.type('AND colour = 1')
    await keyboard.press('Escape')
    await keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'colour' }).waitFor()
    expect(await page.locator('mark').textContent()).toBe('colour')
    for (let letters = 0; letters < ' AND colour = 1'.length; letters++) await keyboard.press('Backspace')
    await keyboard.press('Escape')
    await keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'colour' }).waitFor({ state: 'detached' })

    await tabTo(page.getByRole('grid'))
    await keyboard.press('Control+End')
    await expect.poll(() => rowOf(page, 'Boskoop, row 1').count(), patient).toBeGreaterThan(0)
    await keyboard.press('PageUp')
    await keyboard.press('Control+End')
    await keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${await idOf('Boskoop, row 1')}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a report is renamed, deleted, and restored by undo', async () => {
    const body = { label: 'Few crates', public: false, expert_query: 'crates < 5' }
    const { json: made } = await api.post(`${path}/tracker_reports`, { as: TOM, body })
    const { page, context, complaints } = await visit(browser, api, `${path}?report=${made.id}`, { as: TOM })
    const labels = async () =>
      (await api.get(`${path}/tracker_reports`, { as: TOM })).json.map(({ label }: { label: string }) => label)
    const open = async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Rename or delete…' }).click()
    }
    await open()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Name').fill('Hardly any crates')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await shown(page, 'Saved the report “Hardly any crates”.')
    await expect.poll(labels, patient).toContain('Hardly any crates')

    await open()
    await page.getByRole('button', { name: 'Delete the report' }).click()
    await shown(page, 'Deleted the report “Hardly any crates”.')
    await shown(page, '300 rows')
    expect(await labels()).not.toContain('Hardly any crates')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(labels, patient).toContain('Hardly any crates')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a tracker opens with its default report, and all artifacts are one choice away', async () => {
    const body = { label: 'Full crates', public: true, expert_query: 'crates >= 35' }
    const { json: made } = await api.post(`${path}/tracker_reports`, { as: MARA, body })
    const administrator = await visit(browser, api, `${path}?report=${made.id}`, { as: MARA })
    await administrator.page.getByRole('button', { name: 'More', exact: true }).click()
    await administrator.page.getByRole('button', { name: 'Rename or delete…' }).click()
    await administrator.page.getByRole('checkbox', { name: 'Default report of the tracker' }).check()
    expect(await violations(administrator.page)).toEqual([])
    await administrator.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await shown(administrator.page, 'Saved the report “Full crates”.')

    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await shown(page, '25 rows')
    await chooseInMenu(page, 'Report', 'All artifacts')
    await shown(page, '300 rows')
    await page.reload()
    await shown(page, '300 rows')
    expect(complaints).toEqual([])
    await context.close()

    // Changes start from the report.
    await administrator.page.goto(new URL(path, administrator.page.url()).href)
    await shown(administrator.page, 'Crates >= 35')
    await administrator.page.getByRole('columnheader', { name: 'Crates' }).click()
    await administrator.page.waitForURL(new RegExp(`report=${made.id}`))
    expect(await administrator.page.getByRole('button', { name: /^Report / }).textContent()).toContain('Full crates')
    expect(administrator.complaints).toEqual([])
    await administrator.context.close()
    await api.delete(`/tracker_reports/${made.id}`, { as: MARA })
  })

  test('navigating back from a row restores the rows and the position without new requests', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await shown(page, '300 rows')
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+End')
    await rowOf(page, 'Boskoop, row 1').last().waitFor()
    await shown(page, 'Live')
    const last = await idOf('Boskoop, row 1')
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${last}`)
    await write(last, { name: 'Boskoop, seen' })
    await page.goBack()
    await rowOf(page, 'Boskoop, seen').waitFor()

    expect(await rowOf(page, 'Boskoop, seen').locator('[data-active="true"]').count()).toBe(1)
    expect(asked.filter((address) => /^\/api\/trackers\/\d+\/artifacts/.test(address))).toEqual([])
    await write(last, { name: 'Boskoop, row 1' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows changes by others: rows appear, change, move and disappear', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?q=crates+%3E+900+ORDER+BY+crates`, {
      as: TOM,
    })
    await shown(page, 'No matches.')
    await shown(page, 'Live')
    const [one, two] = [await idOf('Elstar, row 2'), await idOf('Topaz, row 6')]
    await write(one, { crates: 901 })
    await rowOf(page, 'Elstar, row 2').waitFor()
    await write(two, { crates: 902 })
    await rowOf(page, 'Topaz, row 6').waitFor()
    await write(one, { crates: 903, name: 'Elstar, the second' })
    await expect
      .poll(async () => (await rows(page).allTextContents()).slice(1), patient)
      .toEqual([expect.stringContaining('Topaz, row 6'), expect.stringContaining('Elstar, the second')])
    await write(two, { crates: 1 })
    await rowOf(page, 'Topaz, row 6').waitFor({ state: 'detached' })
    await write(one, { crates: 2 })
    await shown(page, 'No matches.')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('cells are edited in place: optimistic, with undo, and a refusal keeps the input', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?q=name+%3D+%22row+19%22+ORDER+BY+%40id`, {
      as: TOM,
    })
    const id = await idOf('Boskoop, row 19')
    const row = rowOf(page, 'Boskoop, row 19').first()
    await row.getByRole('gridcell').nth(5).dblclick()
    const editor = page.getByRole('group', { name: /Crates of row/ })
    await editor.getByRole('textbox').fill('17')
    await page.keyboard.press('Enter')
    await expect.poll(() => row.textContent(), patient).toContain('17')
    await expect.poll(() => stored(id, 'crates'), patient).toMatchObject({ value: 17 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => stored(id, 'crates'), patient).toMatchObject({ value: null })

    // The workflow requires crates for Done; the refusal keeps the choice. The list itself says so once its check is
    // answered, which here never happens.
    await page.route('**/*dry_run=true*', () => {})
    await row.getByText('Open', { exact: true }).click()
    await page.getByRole('combobox', { name: 'State' }).fill('do')
    await page.keyboard.press('Enter')
    const state = page.getByRole('group', { name: /State of row/ })
    await state.getByText(/Crates/).waitFor()
    expect(await state.locator('option:checked').textContent()).toBe('Done')
    await page.keyboard.press('Escape')
    await state.waitFor({ state: 'detached' })
    await expect.poll(() => row.getByRole('gridcell').nth(3).textContent(), patient).toContain('Open')

    // Mara writes the same cell meanwhile: the conflict is shown.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await editor.getByRole('textbox').fill('5')
    await write(id, { crates: 8 })
    await page.keyboard.press('Enter')
    await editor.getByText('Mara Keller has changed it').waitFor()
    expect(await editor.getByRole('textbox').inputValue()).toBe('5')
    await editor.getByRole('button', { name: 'Save my value' }).click()
    await expect.poll(() => stored(id, 'crates'), patient).toMatchObject({ value: 5 })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: two keys change the status, and Space chooses several people', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?q=name+%3D+%22row+297%22`, { as: TOM })
    const { keyboard } = page
    const id = await idOf('Gravenstein, row 297')
    await rowOf(page, 'Gravenstein, row 297').waitFor()
    await tabTo(page.getByRole('grid'))
    await keyboard.press('ArrowDown')
    await keyboard.press('s')
    const picker = page.getByRole('dialog', { name: 'State' })
    await inFocus(picker.getByRole('combobox')).waitFor()
    expect(await picker.getByRole('option', { selected: true }).textContent()).toBe('Open1') // With the digit that picks it.
    await keyboard.type('done')
    await keyboard.press('Enter')
    await picker.waitFor({ state: 'detached' })
    await expect.poll(() => stored(id, 'state'), patient).toMatchObject({ values: [{ label: 'Done' }] })
    await inFocus(page.getByRole('grid')).waitFor()

    const people = async () => (await stored(id, 'picker')).values.map(({ username }: { username: string }) => username)
    const before = await people()
    await keyboard.press('a')
    await inFocus(page.getByRole('combobox', { name: 'Picker' })).waitFor()
    await keyboard.press('Space')
    await keyboard.press('Escape')
    await inFocus(page.getByRole('grid')).waitFor()
    expect(await people()).toEqual(before)
    await keyboard.press('a')
    await inFocus(page.getByRole('combobox', { name: 'Picker' })).waitFor()
    await keyboard.press('Space')
    await keyboard.press('Enter')
    await expect.poll(async () => (await people()).length, patient).toBe(before.length - 1)

    // The tracker has no field of this name.
    await inFocus(page.getByRole('grid')).waitFor()
    await keyboard.press('p')
    await shown(page, 'This tracker has no field named priority.')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a refused filter shows its fault, and no rows of the filter before', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?q=crates+>%3D+35`, { as: TOM })
    await expect.poll(() => rows(page).count(), patient).toBeGreaterThan(10)
    await page.getByRole('button', { name: 'Query language' }).click()
    await page.getByRole('combobox', { name: 'query language' }).fill("crates >= 35 AND nothing = 'x'")
    await page.keyboard.press('Enter')
    await shown(page, 'This filter was refused, so no artifacts are shown. Correct or clear it.')
    expect(await rows(page).count()).toBe(0)
    expect(await page.getByText(/\d+ rows/).count()).toBe(0)

    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => rows(page).count(), patient).toBeGreaterThan(10)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('at 1280 pixels every control of the toolbar is in view, the others behind one button', async () => {
    const filtered = `${path}?q=crates+>%3D+10+AND+name+%3D+%22row%22`
    const { page, context, complaints } = await visit(browser, api, filtered, { as: TOM, width: 1280 })
    await expect.poll(() => rows(page).count(), patient).toBeGreaterThan(10)
    for (const name of ['Filter', 'Display', 'Save', 'More']) {
      const button = page.getByRole('button', { name, exact: true })
      const box = await button.boundingBox()
      expect(box && box.x + box.width).toBeLessThanOrEqual(1280)
      await button.click({ trial: true })
    }
    await page.getByRole('button', { name: 'Display', exact: true }).click()
    await chooseInMenu(page, 'Order', 'By hand')
    await page.waitForURL(/ORDER/)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Ripe on' }).uncheck()
    await page.getByRole('columnheader', { name: 'Ripe on' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows the shape of rows until they come, and the next step in an empty tracker', async () => {
    const empty = await makeTestTracker(api, {
      label: 'Nothing yet',
      item_name: 'nothing',
      permissions: { full: ['@anonymous'] },
      elements: [{ name: 'summary', type: 'string', label: 'Summary' }],
      semantics: { title: 'summary' },
    })
    const { page, context, complaints } = await visit(browser, api, '/projects', { as: TOM })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(`**/api/trackers/${empty.id}/artifacts?*`, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(new URL(`/trackers/${empty.id}`, page.url()).href)
    const skeleton = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })
    await skeleton.waitFor()
    expect(await page.getByText('This tracker has no artifacts yet.').count()).toBe(0)
    release()
    await shown(page, 'This tracker has no artifacts yet.')
    await skeleton.waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('link', { name: 'New artifact' }).last().click()
    await page.waitForURL(`**/trackers/${empty.id}/new`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('of an unknown or invisible tracker is not found', async () => {
    const { page, context, complaints } = await visit(browser, api, '/trackers/99999', { as: TOM })
    await shown(page, 'There is no such tracker')
    expect(complaints).toEqual([])
    await context.close()
  })
})
