import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { writeInBulk } from '../../../server/test/fixtures/bulk.ts'
import { MARA, OLGA, TOM, UMA } from '../../../server/test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS, ORCHARD, VAULT } from '../../../server/test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../server/test/harness/run-jobs.ts'
import { inFocus } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('the inbox (needs Chromium: npm run setup)', async () => {
  const { api, clock, context: world } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  async function createForUma(title: string): Promise<number> {
    const values = [
      { field_id: BUG.summary, value: title },
      { field_id: BUG.assigned_to, bind_value_ids: [UMA.id] },
    ]
    const made = await api.post('/artifacts', { as: MARA, body: { tracker: { id: BUGS }, values } })
    if (made.status !== 201) throw new Error(made.text)
    return made.json.id
  }
  const say = (id: number, body: string) =>
    api.put(`/artifacts/${id}`, { as: TOM, body: { values: [], comment: { body, format: 'text' } } })

  test('has one entry per artifact with author, comment and reason, and keys to work through it', async () => {
    const hose = await createForUma('Hose is too short')
    await say(hose, 'Two meters are missing.')
    const valve = await createForUma('Valve rattles')
    await say(valve, '@uma, do you hear it, too?')
    const lost = await createForUma('Lost ladder')
    await api.delete(`/artifacts/${lost}`, { as: MARA })
    await drainWorker(world)
    const { page, context, complaints } = await visit(browser, api, '/inbox', { as: UMA, width: 390 })
    const { keyboard } = page
    const entry = (title: string) => page.locator('[data-thread]', { hasText: title })
    await entry('Valve rattles').waitFor()
    expect(await entry('Valve rattles').count()).toBe(1)
    expect(await entry('Valve rattles').textContent()).toMatch(/Tom.*: @uma, do you hear it, too\?Mention.*\+1 update/)
    expect(await entry('Hose').textContent()).toMatch(/Tom.*: Two meters are missing\.Comment/)
    expect(await page.locator('#main').textContent()).not.toContain('changed it')
    // A deleted artifact keeps its number, and is no link.
    expect(await entry(`Artifact #${lost}`).textContent()).toMatch(/Mara.* deleted it/)
    expect(await entry(`Artifact #${lost}`).getByRole('link').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)

    await page.getByRole('link', { name: 'Mentions', exact: true }).click()
    await page.waitForURL('**/inbox?show=mentions')
    await entry('Hose').waitFor({ state: 'detached' })
    await page.goBack()
    await entry('Hose').waitFor()

    await keyboard.press('j')
    const first = inFocus(page.locator('[data-thread]'))
    await first.waitFor()
    const id = await first.getAttribute('data-thread')
    await keyboard.press('j')
    await keyboard.press('k')
    await inFocus(page.locator(`[data-thread="${id}"]`)).waitFor()
    while ((await inFocus(entry('Hose')).count()) === 0) await keyboard.press('j')
    await keyboard.press('e')
    await page.getByRole('button', { name: 'Mark unread: Hose is too short' }).waitFor()
    await page.getByRole('link', { name: 'Unread', exact: true }).click()
    await entry('Hose').waitFor({ state: 'detached' })

    while ((await inFocus(entry('Valve')).count()) === 0) await keyboard.press('j')
    await keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${valve}#v2`)
    const left = async () => (await api.get('/notifications/threads?unread=true', { as: UMA })).text
    await expect.poll(left, patient).not.toContain('Valve rattles')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows a bulk write as one entry that leads to its artifacts', async () => {
    const made: number[] = []
    for (const tree of ['Ash', 'Beech', 'Cedar', 'Elm', 'Fir']) made.push(await createForUma(`${tree} is ill`))
    await drainWorker(world)
    await api.post('/notifications/read', { as: UMA, body: { until: 1_000_000_000 } })
    const lines = made.map((id) => ({ op: 'update', id, values: [{ field_id: BUG.points, value: 5 }] }))
    await writeInBulk(api, BUGS, lines, { as: TOM })
    await drainWorker(world)
    const { page, context, complaints } = await visit(browser, api, '/inbox?show=unread', { as: UMA })
    await page.getByText('5 artifacts').waitFor()
    expect(await page.locator('[data-thread]').count()).toBe(1)
    await page.getByRole('link', { name: '5 artifacts' }).click()
    await page.getByText('5 rows').waitFor()
    await page.getByText('Cedar is ill').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('snoozes an entry by keyboard; it can be undone, is listed, and comes back by itself', async () => {
    const pump = await createForUma('Pump hums')
    await say(pump, 'Since this morning.')
    await drainWorker(world)
    const { page, context, complaints } = await visit(browser, api, `/inbox?project=${ORCHARD}`, { as: UMA })
    const { keyboard } = page
    const entry = page.locator('[data-thread]', { hasText: 'Pump hums' })
    await entry.waitFor()
    const snooze = async () => {
      while ((await inFocus(entry).count()) === 0) await keyboard.press('j')
      await keyboard.press('h')
      await page.getByRole('combobox', { name: 'Snooze' }).waitFor()
      await keyboard.type('tomorrow')
      await keyboard.press('Enter')
      await entry.waitFor({ state: 'detached' })
    }
    await snooze()
    await page.getByText('Snoozed until').first().waitFor()
    await keyboard.press('u')
    await entry.waitFor()
    await snooze()
    await page.getByRole('link', { name: 'Snoozed', exact: true }).click()
    await page.waitForURL('**/inbox?*show=snoozed*')
    await page.getByRole('button', { name: 'Show again: Pump hums' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()

    clock.advance(33 * 3_600_000) // Ends the session, too.
    const later = await visit(browser, api, '/inbox?show=unread', { as: UMA })
    const returned = later.page.locator('[data-thread]', { hasText: 'Pump hums' })
    await returned.waitFor()
    await chooseInMenu(later.page, 'Project', '🌳 Orchard')
    await later.page.waitForURL(`**/inbox?*project=${ORCHARD}*`)
    await returned.waitFor()
    await later.page.goto(`${api.origin}/inbox?project=${VAULT}`)
    await later.page.getByText('Nothing about this project.').waitFor()
    expect(later.complaints).toEqual([])
    await later.context.close()
  })

  test('on a wide screen entries are read beside the list, and say what was changed', async () => {
    const [tap, rake] = [await createForUma('Tap drips'), await createForUma('Rake is bent')]
    const set = (status: number) =>
      api.put(`/artifacts/${tap}`, {
        as: TOM,
        body: { values: [{ field_id: BUG.status, bind_value_ids: [status] }] },
      })
    await set(BUG_STATUS.fixed)
    await drainWorker(world)
    const { page, context, complaints } = await visit(browser, api, '/inbox', { as: UMA, width: 1440 })
    const entry = (title: string) => page.locator('[data-thread]', { hasText: title })
    const pane = (id: number) => page.locator(`[data-peek="${id}"]`)
    await page.getByRole('heading', { name: 'Today', level: 2 }).waitFor()
    expect(await entry('Tap drips').textContent()).toMatch(/Tom.* closed it: .+ → .+/)
    // The newest one is shown at first, and stays unread.
    await pane(tap).getByRole('heading', { name: 'Tap drips' }).waitFor()
    expect(await entry('Tap drips').getAttribute('data-unread')).toBe('true')
    await entry('Rake is bent').getByRole('link').click()
    await pane(rake).getByRole('heading', { name: 'Rake is bent' }).waitFor()
    await expect.poll(() => entry('Rake is bent').getAttribute('data-unread')).toBe('false')
    expect(new URL(page.url()).pathname).toBe('/inbox')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${rake}*`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('says when nothing matches', async () => {
    const { page, context, complaints } = await visit(browser, api, '/inbox?show=mentions', { as: OLGA })
    await page.getByText('No mentions in the last 90 days.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
