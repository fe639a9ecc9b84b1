import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../../server/test/fixtures/seed-ids.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)(
  'the general settings of a tracker (needs Chromium: npm run setup)',
  async () => {
    const { api } = await startFewPages()
    const browser = await startBrowser()
    afterAll(() => browser.close())
    const make = async (template: string): Promise<number> => {
      const { status, text, json } = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: { template } })
      if (status !== 201) throw new Error(text)
      return json.id
    }
    const apply = async (page: Page) => {
      await page.getByRole('button', { name: 'Preview and apply' }).click()
      await page.getByRole('button', { name: 'Apply', exact: true }).click()
      await page.getByText('Applied.').first().waitFor()
    }
    const definition = async (id: number) => (await api.get(`/trackers/${id}/definition`, { as: MARA })).json

    test('change names, colour, parent and options, then delete it and undo', patient, async () => {
      const id = await make('tasks')
      const { page, context, complaints } = await visit(browser, api, `/trackers/${id}/administration/general`, {
        as: MARA,
      })
      await page.getByLabel('Tracker name').fill('Chores')
      await page.getByLabel('Item name').fill('chore')
      await page.getByLabel('Colour').selectOption('plum crazy')
      await page.getByLabel('Parent tracker').selectOption('Bugs')
      await page.getByLabel('Mails about changes').selectOption('None')
      await page.getByLabel('Artifacts can be copied').uncheck()
      await apply(page)
      expect(await definition(id)).toMatchObject({
        label: 'Chores',
        item_name: 'chore',
        color_name: 'plum-crazy',
        hierarchy: { parent: 'bug' },
        settings: { notifications_level: 'none', allow_copy: false },
      })

      await page.getByRole('button', { name: 'Delete the tracker…' }).click()
      await page.getByRole('button', { name: 'Move to the trash' }).click()
      await page.waitForURL('**/projects/orchard')
      expect((await api.get(`/trackers/${id}`, { as: MARA })).status).toBe(404)
      await page.keyboard.press('u')
      await page.getByText('Restored the tracker.').waitFor()
      expect((await api.get(`/trackers/${id}`, { as: MARA })).status).toBe(200)
      expect(complaints).toEqual([])
      await context.close()
    })

    test('change date rules and dependencies', patient, async () => {
      const id = await make('support')
      const { page, context, complaints } = await visit(browser, api, `/trackers/${id}/administration/rules`, {
        as: MARA,
      })
      await page.getByText('Topic depends on Category').first().waitFor()
      await page.getByRole('checkbox', { name: 'Question: offer Slow' }).check()
      await page.getByLabel('First date').selectOption('Answer by')
      await page.getByLabel('Comparison').selectOption('≥')
      await page.getByLabel('Second date').selectOption('Solved on')
      await page.getByRole('button', { name: 'Add the rule' }).first().click()
      await apply(page)
      const { rules } = await definition(id)
      expect(rules.dates).toEqual([{ source: 'due_date', comparator: '≥', target: 'solved_on' }])
      expect(rules.lists[0].allow.question).toContain('slow')
      expect(complaints).toEqual([])
      await context.close()
    })

    test('watch a tracker, and undo', async () => {
      const id = await make('risks')
      const { page, context } = await visit(browser, api, `/trackers/${id}`, { as: TOM })
      const level = async () => (await api.get(`/trackers/${id}/watch`, { as: TOM })).json
      await chooseInMenu(page, 'Watch this tracker', 'Every change')
      await page.getByText('Notifications: Every change.').waitFor()
      expect(await level()).toMatchObject({ level: 'all', inherited_from: null })
      await page.keyboard.press('u')
      await page.getByText('Notifications: default level.').waitFor()
      expect((await level()).inherited_from).not.toBeNull()
      await context.close()
    })
  },
)
