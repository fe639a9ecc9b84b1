import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact, makeTestTracker } from '../../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const field = (name: string, type: string, label: string, more: object = {}) => ({ name, type, label, ...more })

const MOTORS = {
  format: 'waypost-tracker/1',
  label: 'Motors',
  item_name: 'motor',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string', 'Summary', { required: true }),
    field('details', 'text', 'Details'),
    field('status', 'sb', 'Status', { bind: list('New', 'Running', 'Done') }),
    field('priority', 'sb', 'Priority', { bind: list('High', 'Low') }),
    field('assigned_to', 'msb', 'Assignee', { bind: { type: 'users', sources: ['@members'] } }),
    field('due', 'date', 'Due'),
    field('links', 'art_link', 'Links', { properties: { can_edit_reverse_links: true } }),
  ],
  semantics: {
    title: 'summary',
    description: 'details',
    contributor: 'assigned_to',
    status: { field: 'status', open: ['new', 'running'] },
  },
}

describe.skipIf(CHROMIUM === undefined)('the panel beside a list (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const tracker = await makeTestTracker(api, MOTORS)
  const make = (summary: string, more: object = {}) =>
    makeTestArtifact(api, tracker, { summary, status: 'New', details: `About ${summary}.`, ...more })
  const [bearing, coil] = [await make('Bearing', { status: 'Done' }), await make('Coil')]
  const links = [bearing, coil].map((id) => ({ id, type: '_is_child' }))
  const stator = await make('Stator hums', { links: { links }, priority: 'High' })
  const rotor = await make('Rotor stalls', { assigned_to: ['tom'] })
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const table = `/trackers/${tracker.id}`
  const panel = (page: Page, id: number) => page.getByRole('region', { name: `motor #${id}`, exact: true })
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const write = (id: number, values_by_field: object, comment?: object) =>
    api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field, ...(comment && { comment }) } })
  const stored = async (id: number, name: string) => {
    const { json } = await api.get(`/artifacts/${id}?values_format=all&by_field_types=all`, { as: TOM })
    return json.values_by_field[name]
  }

  test('by keyboard alone: Space opens it, J moves row and panel, M writes a comment that is never lost', async () => {
    const { page, context, complaints } = await visit(browser, api, table, { as: TOM })
    const { keyboard } = page
    await page.getByText('4 rows').waitFor()
    await tabTo(page.getByRole('grid'))
    await keyboard.press('Home')
    await keyboard.press('Space')
    await panel(page, rotor).getByText('About Rotor stalls.').waitFor()
    await page.waitForURL(`**${table}?peek=${rotor}`)
    await inFocus(page.getByRole('grid')).waitFor()

    await keyboard.press('j')
    await panel(page, stator).getByText('About Stator hums.').waitFor()
    await page.waitForURL(`**${table}?peek=${stator}`)
    expect(await rowOf(page, 'Stator hums').locator('[data-active="true"]').count()).toBe(1)
    await panel(page, stator).getByText('1 of 2 done').waitFor()

    await keyboard.press('m')
    const box = panel(page, stator).getByRole('textbox', { name: 'Comment' })
    await inFocus(box).waitFor()
    await keyboard.type('Measured twice')
    await keyboard.press('Escape')
    await inFocus(panel(page, stator)).waitFor()
    await keyboard.press('k')
    await panel(page, rotor).getByText('About Rotor stalls.').waitFor()
    await page.waitForURL(`**${table}?peek=${rotor}`)
    await page.reload()
    await panel(page, rotor).getByText('About Rotor stalls.').waitFor()
    await tabTo(page.getByRole('grid'))
    await keyboard.press('j')
    await expect.poll(() => box.textContent(), patient).toContain('Measured twice')
    await keyboard.press('m')
    await inFocus(box).waitFor()
    await keyboard.press('Control+Enter')
    await panel(page, stator).getByRole('listitem').filter({ hasText: 'Measured twice' }).waitFor()

    // Two keys change a value, in the panel as in the row.
    await keyboard.press('Escape')
    await inFocus(panel(page, stator)).waitFor()
    await keyboard.press('p')
    await inFocus(page.getByRole('dialog', { name: 'Priority' }).getByRole('combobox')).waitFor()
    await keyboard.type('low')
    await keyboard.press('Enter')
    await expect.poll(() => stored(stator, 'priority'), patient).toMatchObject({ values: [{ label: 'Low' }] })

    await panel(page, stator).focus()
    await keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${stator}`)
    await page.goBack()
    await panel(page, stator).waitFor()
    await keyboard.press('Escape')
    await panel(page, stator).waitFor({ state: 'detached' })
    await page.waitForURL(new RegExp(`${table}$`))
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by mouse: rows, values, buttons and the edge; it is live, and remembered on the device', async () => {
    const { page, context, complaints } = await visit(browser, api, table, { as: TOM })
    await rowOf(page, 'Rotor stalls').hover()
    await page.getByRole('button', { name: `Peek at motor #${rotor}` }).click()
    const shown = panel(page, rotor)
    await shown.getByText('New', { exact: true }).click()
    await page.getByRole('dialog', { name: 'Status' }).getByRole('option', { name: 'Running' }).click()
    await expect.poll(() => stored(rotor, 'status'), patient).toMatchObject({ values: [{ label: 'Running' }] })
    await rowOf(page, 'Rotor stalls').getByText('Running').waitFor()

    await write(rotor, { details: 'Stalls when it is cold.' }, { body: 'Seen again today.', format: 'commonmark' })
    await shown.getByText('Stalls when it is cold.').waitFor()
    await shown.getByText('Seen again today.').waitFor()

    await shown.getByRole('button', { name: 'Next' }).click()
    await panel(page, stator).getByText('About Stator hums.').waitFor()
    await rowOf(page, 'Coil').getByRole('gridcell').last().click()
    await panel(page, coil).getByText('Part of').waitFor()

    const edge = panel(page, coil).getByRole('separator', { name: 'Width of the panel' })
    const { x = 0, y = 0, width: before = 0 } = (await panel(page, coil).boundingBox()) ?? {}
    await page.mouse.move(x, y + 200)
    await page.mouse.down()
    await page.mouse.move(x - 60, y + 200, { steps: 3 })
    await page.mouse.up()
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    const width = async () => (await panel(page, coil).boundingBox())?.width
    expect(await width()).toBe(before + 76)

    // Another visit of the table begins with the panel, as wide as it was left.
    await page.goto(new URL(table, page.url()).href)
    await panel(page, rotor).getByText('Stalls when it is cold.').waitFor()
    expect((await panel(page, rotor).boundingBox())?.width).toBe(before + 76)
    // Beside it, columns are shown as a whole or not at all.
    const columns = () => page.getByRole('columnheader').count()
    const beside = await columns()
    expect(await page.getByRole('grid').evaluate((grid) => grid.scrollWidth - grid.clientWidth)).toBe(0)
    await panel(page, rotor).getByRole('button', { name: 'Close' }).click()
    await expect.poll(columns, patient).toBeGreaterThan(beside)
    await page.goto(new URL(table, page.url()).href)
    await page.getByText('4 rows').waitFor()
    expect(await page.locator('[data-peek]').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('stands beside a board, and follows its cards', async () => {
    const { page, context, complaints } = await visit(browser, api, `${table}/board`, { as: TOM })
    const { keyboard } = page
    const card = (name: string) => page.locator('[data-card]').filter({ hasText: name })
    await card('Stator hums').getByRole('link').focus()
    await keyboard.press('Space')
    await panel(page, stator).getByText('About Stator hums.').waitFor()
    await keyboard.press('j')
    await panel(page, coil).getByText('About Coil.').waitFor()
    await inFocus(card('Coil').getByRole('link')).waitFor()
    await panel(page, coil).getByRole('button', { name: 'Previous' }).click()
    await panel(page, stator).waitFor()
    await card('Rotor stalls').locator('span').first().click()
    await panel(page, rotor).waitFor()
    await keyboard.press('Escape')
    await page.locator('[data-peek]').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('stands beside results, opens from the palette, and lies over a list without room', async () => {
    const { page, context, complaints } = await visit(browser, api, '/search?q=motor', { as: TOM })
    const { keyboard } = page
    await page.goto(new URL('/search?q=stalls', page.url()).href)
    await page.getByRole('link', { name: 'Rotor stalls' }).focus()
    await keyboard.press('ArrowRight')
    await panel(page, rotor).getByText('Stalls when it is cold.').waitFor()
    const room = async () => (await page.locator('#main').boundingBox())?.width ?? 0
    const pushed = await room()
    await page.setViewportSize({ width: 1100, height: 800 })
    expect(await room()).toBeGreaterThan(1100 - 300)
    expect(pushed).toBeLessThan(1440 - 600)
    await keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('stator')
    await page.getByRole('option', { name: /Stator hums/ }).waitFor()
    await keyboard.press('ArrowRight')
    await panel(page, stator).getByText('About Stator hums.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('on a phone the artifact opens instead', async () => {
    const { page, context, complaints } = await visit(browser, api, `${table}?peek=${coil}`, { as: TOM, width: 390 })
    await page.waitForURL(`**/artifacts/${coil}`)
    await page.goto(new URL(table, page.url()).href)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Space')
    await page.waitForURL(`**/artifacts/${rotor}`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
