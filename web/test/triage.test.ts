import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { TOM } from '../../server/test/fixtures/people.ts'
import { plantHarvest } from './harvest.ts'
import { inFocus } from './keyboard.ts'
import { visit } from './visitor.ts'
import { startFewPages } from './world.ts'

const patient = { timeout: 60_000 }
const TRIAGED = 20
const MAX_TRIAGE_KEYS = 60
const MAX_TRIAGE_CLICKS = 60

describe.skipIf(CHROMIUM === undefined)('triage (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const harvest = await plantHarvest(api)
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const states = async (query: string, size: number) => {
    const path = `/trackers/${harvest}/artifacts?limit=${size}&expert_query=${encodeURIComponent(query)}`
    return (await api.get(path, { as: TOM })).json.map(({ status }: { status: string }) => status)
  }
  const openIds = async (query: string): Promise<number[]> => {
    const path = `/trackers/${harvest}/artifacts?limit=100&expert_query=${encodeURIComponent(`state = "Open" AND ${query}`)}`
    return (await api.get(path, { as: TOM })).json.map(({ id }: { id: number }) => id)
  }
  const firstOpen = async (query: string) => (await openIds(query)).slice(0, TRIAGED)
  const picker = (page: Page) => page.getByRole('dialog', { name: 'State' })
  const cell = (page: Page, words: string) => page.getByRole('gridcell').getByText(words, { exact: true }).first()
  const open = async (query: string, width: number) => {
    const path = `/trackers/${harvest}?q=${encodeURIComponent(query)}`
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM, width })
    await cell(page, 'Open').waitFor()
    return { page, context, complaints }
  }

  test.each([
    { width: 1440, query: 'ORDER BY @id' },
    { width: 390, query: 'ORDER BY @id DESC' },
  ])('of 20 artifacts takes at most 60 keys, $width pixels wide', async ({ width, query }) => {
    const { page, context, complaints } = await open(query, width)
    let keys = 0
    const press = async (key: string) => {
      keys++
      await page.keyboard.press(key)
    }
    await press('j')
    for (let row = 0; row < TRIAGED; row++) {
      await inFocus(page.getByRole('grid')).waitFor()
      if (row > 0) await press('j')
      await press('s')
      await inFocus(picker(page).getByRole('combobox')).waitFor()
      await press('2')
      await picker(page).waitFor({ state: 'detached' })
    }
    await expect
      .poll(() => states(query, TRIAGED + 1), patient)
      .toEqual([...Array.from({ length: TRIAGED }, () => 'Picking'), 'Open'])
    process.stdout.write(`triage of ${TRIAGED} artifacts at ${width} px: ${keys} keys\n`)
    expect(keys).toBeLessThanOrEqual(MAX_TRIAGE_KEYS)
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([
    { width: 1440, query: 'crates >= 0 ORDER BY crates, @id' },
    { width: 390, query: 'crates >= 0 ORDER BY crates DESC, @id' },
  ])('of 20 artifacts by mouse takes at most 60 clicks, $width pixels wide', async ({ width, query }) => {
    const { page, context, complaints } = await open(query, width)
    const ids: number[] = await firstOpen(query)
    let clicks = 0
    const click = async (control: Locator) => {
      clicks++
      await control.click()
    }
    for (const id of ids) {
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: `#${id}`, exact: true }) })
      await click(row.getByRole('gridcell').getByText('Open', { exact: true }))
      await click(picker(page).getByRole('option', { name: 'Picking' }))
      await picker(page).waitFor({ state: 'detached' })
    }
    await expect.poll(async () => (await openIds(query)).filter((id) => ids.includes(id)), patient).toEqual([])
    process.stdout.write(`triage of ${TRIAGED} artifacts by mouse at ${width} px: ${clicks} clicks\n`)
    expect(clicks).toBeLessThanOrEqual(MAX_TRIAGE_CLICKS)
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([1440, 390])('the status of a row takes two clicks or two keys, %i pixels wide', async (width) => {
    const query = 'name = "row 151"'
    const { page, context, complaints } = await open(query, width)
    await cell(page, 'Open').click()
    await picker(page).getByRole('option', { name: 'Picking' }).click()
    await expect.poll(async () => (await states(query, 1))[0], patient).toBe('Picking')

    await inFocus(page.getByRole('grid')).waitFor()
    await page.keyboard.press('s')
    await inFocus(picker(page).getByRole('combobox')).waitFor()
    await page.keyboard.press('1')
    await expect.poll(async () => (await states(query, 1))[0], patient).toBe('Open')
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([1440, 390])(
    'the status on the page of an artifact takes two clicks or two keys, %i pixels wide',
    async (width) => {
      const id = crates.ids.get('Walnuts') ?? 0
      const status = async () => (await api.get(`/artifacts/${id}`, { as: TOM })).json.status
      const next = (await status()) === 'Empty' ? { digit: '2', label: 'Packing' } : { digit: '1', label: 'Empty' }
      const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM, width })
      await page.getByRole('heading', { name: 'Walnuts' }).first().waitFor()
      const before = next.label === 'Packing' ? 'Empty' : 'Packing'
      const dialog = page.getByRole('dialog', { name: 'Status' })
      await page.keyboard.press('s')
      await inFocus(dialog.getByRole('combobox')).waitFor()
      await page.keyboard.press(next.digit)
      await expect.poll(status, patient).toBe(next.label)

      // On a phone the whole card takes the click, in front of its value.
      const value = page.locator('aside').getByText(next.label, { exact: true }).locator('visible=true').first()
      await value.click({ force: true })
      await dialog.getByRole('option', { name: before, exact: true }).click()
      await expect.poll(status, patient).toBe(before)
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
