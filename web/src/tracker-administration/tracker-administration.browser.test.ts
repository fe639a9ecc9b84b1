import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../server/test/fixtures/every-field.ts'
import { MARA, TOM, UMA } from '../../../server/test/fixtures/people.ts'
import { drainWorker } from '../../../server/test/harness/run-jobs.ts'
import { allowLoopback, startReceiver } from '../../../server/test/peers/webhook-receiver.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startPages } from '../../test/world.ts'

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })), default: [] })
const HARVEST = {
  label: 'Harvest',
  item_name: 'harvest',
  permissions: { full: ['@anonymous'], admin: ['leads'] },
  elements: [
    {
      name: 'main',
      type: 'fieldset',
      label: 'Main',
      content: [
        { name: 'summary', type: 'string', label: 'Summary', required: true },
        { name: 'status', type: 'sb', label: 'Status', bind: list('Ripe', 'Picking', 'Washed', 'Sold', 'Rotten') },
        { name: 'crates', type: 'int', label: 'Crates' },
        { name: 'due', type: 'date', label: 'Due' },
      ],
    },
    { name: 'note', type: 'text', label: 'Note' },
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['ripe', 'picking', 'washed'] } },
  workflow: {
    field: 'status',
    states: [
      { to: 'ripe', from: ['@new', 'picking'] },
      { to: 'picking', from: ['ripe'] },
      { to: 'washed', from: ['picking'] },
      { to: 'sold', from: ['washed', 'picking'] },
    ],
  },
}

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('a tracker administrator (needs Chromium: npm run setup)', async () => {
  const { api, context: server } = await startPages()
  const receiver = await startReceiver()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  let tracker: MadeTracker
  beforeAll(async () => {
    await allowLoopback(api)
    tracker = await makeTestTracker(api, HARVEST)
    for (const summary of ['Early apples', 'Pears']) await makeTestArtifact(api, tracker, { summary, status: 'Ripe' })
  })
  const definition = async () => (await api.get(`/trackers/${tracker.id}/definition`, { as: MARA })).json
  const main = async () => (await definition()).elements[0].content.map(({ name }: { name: string }) => name)
  const apply = async (page: Page) => {
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('Applied.').first().waitFor()
  }

  test('by mouse: changes form, permissions and workflow, sees the impact, applies it and undoes it', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${tracker.id}`, { as: MARA })
    await page.getByRole('link', { name: 'Administration' }).click()
    const row = (label: string) => page.locator('[draggable]').filter({ hasText: label }).first()
    await row('Due').dragTo(row('Summary'), { targetPosition: { x: 200, y: 4 } })
    await page.getByText('Move “Due” to place 1 of “Main”.').first().waitFor()
    await page.getByRole('button', { name: 'Edit Status' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('State')
    await page.getByLabel('New value').fill('Juice')
    await page.getByRole('button', { name: 'Add the value' }).click()
    await page.getByLabel('Colour of Juice').selectOption('clockwork orange')
    await page.getByRole('button', { name: 'Add to the plan' }).click()

    await page.getByRole('link', { name: 'Permissions' }).click()
    await page.getByRole('checkbox', { name: 'Project members: update Crates' }).uncheck()

    await page.getByRole('link', { name: 'Workflow' }).click()
    const state = (label: string) => page.locator('[data-state]').filter({ hasText: label })
    await state('2 artifacts').waitFor()
    await state('Washed').dragTo(state('Juice'))
    await page.getByRole('checkbox', { name: 'Washed → Juice' }).and(page.locator(':checked')).waitFor()
    await page.locator('g', { hasText: 'Ripe → Picking' }).last().locator('circle').click()
    await page.getByLabel('Comment required').check()
    await page.getByLabel('Set another field').selectOption('Due')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add to the plan' }).click()

    // Another administrator saves first: the changes are reapplied to the newer version.
    const newer = { ...(await definition()), label: 'Harvest 2026' }
    await api.put(`/trackers/${tracker.id}/definition`, { as: MARA, body: newer })
    await page.getByRole('button', { name: 'Preview and apply' }).click()
    const plan = page.getByRole('dialog')
    await plan.getByText('Add the value “Juice” to “State”').waitFor()
    expect(await plan.textContent()).toContain('2 artifacts have values in changed fields.')
    expect(await plan.textContent()).toContain('update: without Project members')
    expect(await plan.textContent()).toContain('Washed → Juice: added')
    expect(await main()).toEqual(['summary', 'status', 'crates', 'due'])
    await apply(page)

    expect(await main()).toEqual(['due', 'summary', 'status', 'crates'])
    const after = await definition()
    expect(after.label).toBe('Harvest 2026')
    expect(after.elements[0].content[3].permissions.update).toEqual([])
    expect(after.workflow.states).toContainEqual(expect.objectContaining({ to: 'juice', from: ['washed'] }))
    expect(after.workflow.states.find(({ to }: { to: string }) => to === 'picking')).toMatchObject({
      conditions: { comment: true },
      actions: [{ type: 'set_field_value', field: 'due', value: 'current' }],
    })

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(main, patient).toEqual(['summary', 'status', 'crates', 'due'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: moves a field, allows a transition in the table, is asked before leaving, and applies it', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${tracker.id}/administration/elements`, {
      as: UMA,
    })
    const { keyboard } = page
    const up = page.getByRole('button', { name: 'Move Crates up' })
    const step = (name: string) => page.getByRole('checkbox', { name, exact: true })
    await up.waitFor()
    await tabTo(up)
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    await page.getByText('Move “Crates” to place 1 of “Main”.').first().waitFor()
    await inFocus(up).waitFor()

    await tabTo(page.getByRole('link', { name: 'Workflow' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Workflow', level: 1 }).waitFor()
    await tabTo(step('Start → Ripe'))
    // Below it is the diagonal, whose cells are empty.
    await keyboard.press('ArrowDown')
    await inFocus(step('Picking → Ripe')).waitFor()
    await keyboard.press('ArrowRight')
    await inFocus(step('Picking → Washed')).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Space')
    await page.getByText('Allow Sold → Washed.').first().waitFor()

    await tabTo(page.getByRole('link', { name: 'Harvest 2026' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await inFocus(page.getByRole('button', { name: 'Stay' })).waitFor()
    await keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await tabTo(page.getByRole('button', { name: 'Preview and apply…' }))
    await keyboard.press('Enter')
    await page.getByText('Sold → Washed: added').waitFor()
    await tabTo(page.getByRole('button', { name: 'Apply', exact: true }))
    await keyboard.press('Enter')
    await page.getByText('Applied.').first().waitFor()

    expect(await main()).toEqual(['crates', 'summary', 'status', 'due'])
    const { states } = (await definition()).workflow
    expect(states.find(({ to }: { to: string }) => to === 'washed').from).toEqual(['picking', 'sold'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the button of the graph adds a transition that does not exist yet', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${tracker.id}/administration/workflow`, {
      as: MARA,
    })
    await page.getByRole('button', { name: 'Add transition' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add transition' })
    await dialog.getByLabel('From').selectOption('Ripe')
    const offered = await dialog.getByLabel('To').getByRole('option').allTextContents()
    expect(offered).not.toContain('Ripe')
    expect(offered).not.toContain('Picking')
    await dialog.getByLabel('To').selectOption('Sold')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add transition' }).click()
    await page.getByRole('checkbox', { name: 'Ripe → Sold' }).and(page.locator(':checked')).waitFor()
    await page.locator('g', { hasText: 'Ripe → Sold' }).last().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('has exclusive access to these screens', async () => {
    const path = `/trackers/${tracker.id}/administration/workflow`
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await page.getByText('Only tracker administrators').waitFor()
    await page.getByRole('link', { name: 'To the artifacts' }).click()
    await page.getByRole('heading', { name: 'Harvest', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('adds a webhook, tests it, and sees the request and the response', async () => {
    const path = `/trackers/${tracker.id}/administration/webhooks`
    const { page, context, complaints } = await visit(browser, api, path, { as: MARA, width: 320 })
    for (const screen of ['Elements', 'Permissions', 'Workflow', 'Semantics', 'Webhooks']) {
      await page.getByRole('link', { name: screen }).click()
      await page.getByRole('heading', { name: screen, level: 1 }).waitFor()
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect([screen, width]).toEqual([screen, 320])
    }
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('ftp://127.0.0.1/')
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    await dialog.locator('[aria-invalid="true"]').waitFor()
    await dialog.getByLabel('Address').fill(receiver.url('/hook'))
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    const secret = await dialog.getByLabel('Secret', { exact: true }).textContent()
    expect(secret?.length).toBeGreaterThan(15)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.content()).not.toContain(secret)

    await page.getByRole('button', { name: /^Test http/ }).click()
    await page.getByText('waiting').first().waitFor()
    await drainWorker(server)
    await receiver.until(1)
    await page.getByText('delivered', { exact: true }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Show ping/ }).click()
    await dialog.getByText('x-waypost-event: ping', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Deliver again' }).click()
    await page.getByText('The delivery will be sent again.').waitFor()
    await drainWorker(server)
    await receiver.until(2)

    await page.getByRole('button', { name: /^Switch off/ }).click()
    await page.getByRole('button', { name: /^Switch on/ }).waitFor()
    const [hook] = (await api.get(`/trackers/${tracker.id}/webhooks`, { as: MARA })).json
    expect(hook).toMatchObject({ active: false, format: 'json', events: ['artifact.created', 'artifact.updated'] })
    await page.getByRole('button', { name: /^Delete http/ }).click()
    await page.getByRole('button', { name: 'Delete the webhook' }).click()
    await page.getByText('No webhooks yet.', { exact: false }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
