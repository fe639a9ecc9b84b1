import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { makeTestArtifact, makeTestTracker } from '../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../server/test/fixtures/seed-ids.ts'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { TEST_LEVEL } from '../../server/test/harness/test-level.ts'
import { Hands, WAYS_AND_WIDTHS } from './hands.ts'
import { inFocus } from './keyboard.ts'
import { visit } from './visitor.ts'
import { startFewPages } from './world.ts'

const DASHBOARD = `/projects/${ORCHARD}/dashboard`
const HIDDEN = 'Buy out the neighbour'
const ORDERS = {
  format: 'waypost-tracker/1',
  label: 'Orders',
  item_name: 'order',
  permissions: { full: ['@anonymous'] },
  elements: [
    {
      name: 'main',
      type: 'fieldset',
      label: 'Order',
      content: [
        { name: 'summary', type: 'string', label: 'Summary', required: true },
        {
          name: 'status',
          type: 'sb',
          label: 'Status',
          bind: { type: 'static', values: [{ label: 'Waiting' }, { label: 'Sent' }] },
        },
        { name: 'seen_by', type: 'perm', label: 'Restricted to' },
      ],
    },
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['waiting'] } },
}

describe.skipIf(CHROMIUM === undefined)('a shared report (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const orders = await makeTestTracker(api, ORDERS)
  const admins = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
  await makeTestArtifact(api, orders, { summary: 'Sixty crates', status: 'Waiting' })
  await makeTestArtifact(api, orders, { summary: 'A new ladder', status: 'Sent' })
  await makeTestArtifact(api, orders, { summary: HIDDEN, status: 'Waiting', seen_by: admins })
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
  const widgets = (page: Page) => page.locator('#main ul > li > section')
  const texts = async (page: Page) => (await widgets(page).allTextContents()).join('\n')

  // `npm run e2e` runs all of them.
  test.each(WAYS_AND_WIDTHS.filter((_, at) => TEST_LEVEL === 'full' || at === 2))(
    'is planned, pinned and shared by $way, $width pixels wide; rows, counts and chart are those that the reader may see',
    async ({ way, width }) => {
      await api.put(DASHBOARD, { as: MARA, body: { widgets: [] } })
      const { page, context, complaints } = await visit(browser, api, `/trackers/${orders.id}`, { as: MARA, width })
      const hands = new Hands(page, way)
      const isPhone = width < 600
      const label = `Waiting, ${way} ${width}`
      await hands.read(page.getByRole('grid'))
      if (way === 'keyboard') await hands.key('f')
      else {
        if (isPhone) await hands.press(button(page, 'Filter and view'))
        await hands.press(button(page, 'Query language'))
      }
      await inFocus(page.getByRole('combobox', { name: 'query language' })).waitFor()
      await hands.type('status = "Waiting"')
      await hands.press(button(page, 'Apply'))
      await page.waitForURL(/q=status/)
      await hands.chooseInMenu(page.getByRole('button', { name: /^Group / }), 'Status')
      await page.waitForURL(/group=status/)

      await hands.press(button(page, 'More'))
      await hands.press(button(page, 'Save as…'))
      await hands.fill(page.getByLabel('Name', { exact: true }), label)
      await hands.tick(page.getByLabel('Visible to everyone with access to the tracker'))
      const save = page.getByRole('dialog', { name: 'Save as a report' })
      await hands.press(save.getByRole('button', { name: 'Save' }))
      await page.waitForURL(/report=\d+/)
      await save.waitFor({ state: 'detached' })
      const report = new URL(page.url())

      if (isPhone) await hands.press(button(page, '1 filter'))
      for (const [at, kind] of ['Chart', 'Number', 'List'].entries()) {
        await hands.press(button(page, 'More'))
        await hands.press(button(page, 'Pin to a dashboard…'))
        const pin = page.getByRole('dialog', { name: `Pin “${label}” to a dashboard` })
        await hands.read(pin)
        if (at > 0 && way === 'mouse') await hands.press(pin.getByRole('radio', { name: kind }))
        if (at > 0 && way === 'keyboard') {
          await hands.goTo(pin.getByRole('radio', { name: 'Chart' }))
          for (let step = 0; step < at; step++) await hands.key('ArrowDown', { isRepeated: step > 0 })
        }
        await hands.press(button(pin, 'Pin'))
        await pin.waitFor({ state: 'detached' })
      }
      if (isPhone) await hands.press(button(page.getByRole('dialog', { name: 'Filter and view' }), 'Close'))
      await hands.press(page.locator('#main').getByRole('link', { name: 'Orchard' }).first())
      await hands.press(page.locator('#main').getByRole('link', { name: 'Dashboard', exact: true }))
      await hands.read(page.getByRole('heading', { name: 'Orchard dashboard', level: 1 }))
      await widgets(page).getByRole('link', { name: HIDDEN }).waitFor()
      await expect.poll(() => texts(page), { timeout: 60_000 }).toMatch(/Waiting\s*2(?!\d)/)
      await widgets(page).getByRole('link', { name: '2', exact: true }).first().waitFor()
      process.stdout.write(`Report planned, pinned and shared, by ${way}, ${width} px: ${String(hands)}\n`)

      // The address of the dashboard, and that of the report.
      const other = await visit(browser, api, new URL(page.url()).pathname, { as: TOM, width })
      await widgets(other.page).getByRole('link', { name: 'Sixty crates' }).waitFor()
      await expect.poll(() => texts(other.page), { timeout: 60_000 }).toMatch(/Waiting\s*1(?!\d)/)
      await widgets(other.page).getByRole('link', { name: '1', exact: true }).first().waitFor()
      expect(await texts(other.page)).not.toMatch(/Waiting\s*2(?!\d)/)
      expect(await other.page.content()).not.toContain(HIDDEN)
      await other.page.goto(`${api.origin}${report.pathname}${report.search}`)
      await other.page.getByRole('row', { name: /Waiting\s*1 row/ }).waitFor()
      await other.page.getByRole('link', { name: 'Sixty crates' }).waitFor()
      expect(await other.page.content()).not.toContain(HIDDEN)
      expect([...complaints, ...other.complaints]).toEqual([])
      await context.close()
      await other.context.close()
    },
  )
})
