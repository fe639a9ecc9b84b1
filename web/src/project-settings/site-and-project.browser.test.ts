import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { BUG, BUGS, ORCHARD } from '../../../server/test/fixtures/seed-ids.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { drainWorker } from '../../../server/test/harness/run-jobs.ts'
import { allowLoopback, startReceiver } from '../../../server/test/peers/webhook-receiver.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
const SETTINGS = '/projects/orchard/settings'

describe.skipIf(CHROMIUM === undefined)('administration in pages (needs Chromium: npm run setup)', async () => {
  const { api, context: server } = await startFewPages()
  const receiver = await startReceiver()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  beforeAll(() => allowLoopback(api))
  const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const linkTypes = async () =>
    (await api.get('/link_types')).json.map(({ shortname }: { shortname: string }) => shortname)

  test('link types: create by keyboard, change labels, forbid in a project, delete', async () => {
    const { page, context, complaints } = await visit(browser, api, '/administration/link-types', { as: ADA })
    const { keyboard } = page
    await shown(page, 'Child / Parent')
    await tabTo(page.getByRole('button', { name: 'New link type' }))
    await keyboard.press('Enter')
    await inFocus(page.getByRole('textbox', { name: 'Label', exact: true })).waitFor()
    await keyboard.type('Fixed in')
    await keyboard.press('Tab')
    await keyboard.type('Fixes')
    await keyboard.press('Tab')
    await keyboard.type('Fixed In')
    await keyboard.press('Enter')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await inFocus(name.and(page.locator('[aria-invalid="true"]'))).waitFor()
    await name.fill('fixed_in')
    await keyboard.press('Enter')
    await shown(page, 'Created the link type “Fixed in”.')
    expect(await linkTypes()).toEqual(['_is_child', 'fixed_in'])
    await page.getByRole('button', { name: 'Change the labels of Fixed in' }).click()
    await page.getByRole('textbox', { name: 'Label of the other direction' }).fill('Repairs')
    await page.getByRole('button', { name: 'Save the labels' }).click()
    await shown(page, 'Fixed in / Repairs')

    const ours = await visit(browser, api, `${SETTINGS}/link-types`, { as: MARA, width: 390 })
    const allowed = ours.page.getByRole('checkbox', { name: 'Allow links “Fixed in”' })
    const enabled = async () => (await api.get(`/projects/${ORCHARD}/link_types/fixed_in`, { as: MARA })).json.enabled
    await allowed.uncheck()
    await expect.poll(enabled, patient).toBe(false)
    await ours.page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(enabled, patient).toBe(true)
    await expect.poll(() => allowed.isChecked(), patient).toBe(true)
    await ours.page.getByRole('link', { name: 'Audit log' }).click()
    await shown(ours.page, 'project.link_type')

    await page.getByRole('button', { name: 'Delete Fixed in' }).click()
    await page.getByRole('button', { name: 'Delete the link type' }).click()
    await shown(page, 'Deleted the link type “Fixed in”.')
    expect(await linkTypes()).toEqual(['_is_child'])
    expect([...complaints, ...ours.complaints]).toEqual([])
    await context.close()
    await ours.context.close()
  })

  test('a webhook of a project: add it, see a delivery, and deliver later events again', async () => {
    const { page, context, complaints } = await visit(browser, api, `${SETTINGS}/webhooks`, { as: MARA })
    await shown(page, 'No webhooks yet.')
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(receiver.url('/project'))
    await dialog.getByLabel('Members are added or removed').check()
    await dialog.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const [hook] = (await api.get(`/projects/${ORCHARD}/webhooks`, { as: MARA })).json
    expect(hook).toMatchObject({ format: 'json', as_user: MARA.id, events: expect.arrayContaining(['member.added']) })

    const report = (value: string) =>
      api.post('/artifacts', {
        as: MARA,
        body: { tracker: { id: BUGS }, values: [{ field_id: BUG.summary, value }] },
      })
    await report('Gate is stuck')
    await report('Gate squeaks')
    await drainWorker(server)
    await receiver.until(2)
    await page.getByRole('button', { name: /^Deliveries to/ }).click()
    await page
      .getByRole('button', { name: /^Show artifact.created/ })
      .last()
      .click()
    await dialog.getByRole('button', { name: 'Deliver all later events again' }).click()
    await shown(page, '1 event will be sent again.')
    await drainWorker(server)
    await receiver.until(3)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a trigger: add it to the plan, apply it, and remove it', async () => {
    const make = async (template: string): Promise<number> =>
      (await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: { template } })).json.id
    const [parent] = [await make('requirements'), await make('tasks')]
    const path = `/trackers/${parent}/administration/rules`
    const { page, context, complaints } = await visit(browser, api, path, { as: MARA })
    const triggers = page.getByRole('region', { name: 'Triggers' })
    const definition = async () => (await api.get(`/trackers/${parent}/definition`, { as: MARA })).json
    const apply = async () => {
      await page.getByRole('button', { name: 'Preview and apply' }).click()
      await page.getByRole('button', { name: 'Apply', exact: true }).click()
      await page.getByText('Applied.').first().waitFor()
    }
    await triggers.getByLabel('List of this tracker').selectOption('Status')
    await triggers.getByLabel('Tracker of the children').selectOption('Tasks')
    await triggers.getByLabel('List of the children').selectOption('Status')
    await triggers.getByRole('button', { name: 'Add the rule' }).click()
    await triggers.getByText('as soon as all children have Tasks: Status').first().waitFor()
    await apply()
    expect((await definition()).triggers).toMatchObject([
      { condition: 'all_of', target: { field: 'status' }, when: [{ tracker: 'task', field: 'status' }] },
    ])
    await triggers.getByRole('button', { name: /^Remove the rule/ }).click()
    await apply()
    await expect.poll(async () => (await definition()).triggers ?? [], patient).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the trash of a tracker: restore an artifact', async () => {
    const values = [{ field_id: BUG.summary, value: 'Bees on strike' }]
    const { json: made } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: BUGS }, values } })
    await api.delete(`/artifacts/${made.id}`, { as: MARA })
    const { page, context, complaints } = await visit(browser, api, `/trackers/${BUGS}/administration/trash`, {
      as: MARA,
    })
    await page.getByRole('button', { name: 'Restore Bees on strike' }).click()
    await shown(page, 'Restored “Bees on strike”.')
    expect((await api.get(`/artifacts/${made.id}`, { as: TOM })).status).toBe(200)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('people ask for an account where the site allows it, and see their pending invitations', async () => {
    const closed = await visit(browser, api, '/sign-in')
    await closed.page.getByRole('link', { name: 'Forgotten your password?' }).waitFor()
    expect(await closed.page.getByRole('link', { name: 'Ask for an account' }).count()).toBe(0)
    await closed.context.close()
    await api.patch('/settings', { as: ADA, body: { registration: 'approval', who_may_invite: 'everyone' } })
    const { page, context, complaints } = await visit(browser, api, '/sign-in')
    await page.getByRole('link', { name: 'Ask for an account' }).click()
    await page.getByLabel('Login', { exact: true }).fill('nina')
    await page.getByLabel('Your name').fill('Nina New')
    await page.getByLabel('E-mail address').fill('nina@orchard.example')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Ask for the account' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Password').fill('a phrase that nobody guesses')
    await page.getByRole('button', { name: 'Ask for the account' }).click()
    await shown(page, 'A mail to your address says how to go on.')
    await context.close()

    await api.post('/invitations', { as: OLGA, body: { emails: ['guest@orchard.example'] } })
    const own = await visit(browser, api, '/account/profile', { as: OLGA })
    await own.page.getByRole('button', { name: 'Revoke the invitation to guest@orchard.example' }).click()
    await shown(own.page, 'The invitation has been revoked.')
    await expect.poll(async () => (await api.get('/invitations', { as: OLGA })).json, patient).toEqual([])
    expect([...complaints, ...own.complaints]).toEqual([])
    await own.context.close()
  })
})
