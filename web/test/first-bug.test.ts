import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { readWebUi, WEB_UI_FOLDER } from '../../server/src/platform/http/web-ui.ts'
import { ADA, PASSWORD } from '../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { TEST_LEVEL } from '../../server/test/harness/test-level.ts'
import { Hands, WAYS_AND_WIDTHS } from './hands.ts'
import { inFocus } from './keyboard.ts'
import { visit } from './visitor.ts'

const MAX_SECONDS = 5 * 60
const PEOPLE = ['nina@drive.example', 'omar@drive.example', 'pia@drive.example']
const BUGS = [
  'Motor stalls below 200 rpm',
  'Wrong unit in the log',
  'Boot takes nine seconds',
  'Encoder counts backwards',
  'Fan never stops',
  'Update fails over CAN',
  'Torque limit is ignored',
  'LED stays red after reset',
  'Temperature reads 0 K',
  'Brake releases too early',
]
/** Arrow keys move a card to the next column; a hand at the mouse can pass one over. */
const STEPS_TO_DONE = {
  mouse: ['Confirmed', 'Fixed', 'Verified'],
  keyboard: ['Confirmed', 'In progress', 'Fixed', 'Verified'],
}
const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('the first bug of an empty site (needs Chromium: npm run setup)', async () => {
  const webUi = await readWebUi(WEB_UI_FOLDER)
  if (!webUi) throw new Error('The pages are not built: npm run build.')
  const environment = { WAYPOST_PUBLIC_URL: 'http://127.0.0.1' }
  const { api, context: world, clock } = await startWorld({ seedOnce: true, webUi, environment })
  clock.set(new Date())
  const browser = await startBrowser()
  afterAll(() => browser.close())

  // `npm run e2e` runs all of them.
  test.each(WAYS_AND_WIDTHS.filter((_, at) => TEST_LEVEL === 'full' || at === 1))(
    'takes a team at most five minutes at human pace, by $way, $width pixels wide',
    async ({ way, width }) => {
      await sql`update project set status = 'suspended' where id > 100`.execute(world.db)
      const { page, context, complaints } = await visit(browser, api, '/', { width })
      const hands = new Hands(page, way)
      const isPhone = width < 600
      const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
      const name = `Drive ${way} ${width}`
      const shortname = name.toLowerCase().replaceAll(' ', '-')

      await hands.read(heading('Sign in'))
      await hands.fill(page.getByLabel('Login or e-mail address'), ADA.login)
      await hands.fill(page.getByLabel('Password'), PASSWORD)
      await hands.key('Enter')

      const steps = page.getByRole('region', { name: 'First steps' })
      await hands.read(steps.getByText('0 of 4'))
      await hands.press(steps.getByRole('link', { name: 'New project' }))
      await hands.read(heading('New project'))
      await hands.fill(page.getByRole('textbox', { name: 'Name', exact: true }), name)
      await hands.key('Enter')
      await hands.read(heading(name))

      await hands.press(page.getByRole('link', { name: 'Add people' }))
      await hands.read(heading('Members'))
      await hands.press(page.getByRole('button', { name: 'Add people' }))
      const search = page.getByRole('combobox', { name: 'Name, login or e-mail address' })
      for (const email of PEOPLE) {
        await hands.fill(search, email)
        const invite = page.getByRole('option', { name: `Invite ${email}` })
        await invite.waitFor()
        await (way === 'mouse' ? hands.press(invite) : hands.key('Enter'))
        await invite.waitFor({ state: 'detached' })
      }
      await hands.press(page.getByRole('button', { name: 'Add 3 entries' }))
      await hands.read(page.getByRole('region', { name: 'Invitations' }).getByText(PEOPLE[2] ?? ''))

      await hands.press(page.locator('#main').getByRole('link', { name }).first())
      await hands.read(heading(name))
      await hands.tick(page.getByRole('checkbox', { name: 'Bugs', exact: true }))
      await hands.press(page.getByRole('button', { name: 'Create tracker' }))
      await hands.read(heading('Bugs'))

      if (way === 'keyboard') await hands.key('c')
      else await hands.press(page.locator('#main').getByRole('link', { name: 'New artifact' }).first())
      await hands.read(heading('New bug'))
      const title = page.getByRole('textbox', { name: 'Title' })
      for (const [at, bug] of BUGS.entries()) {
        await hands.fill(title, bug)
        if (at === 0) {
          await hands.tick(page.getByRole('checkbox', { name: 'Create another' }))
          await hands.press(page.getByRole('button', { name: 'Create', exact: true }))
        } else await hands.key('Enter')
        await expect.poll(() => title.inputValue(), patient).toBe('')
        await inFocus(title).waitFor()
      }

      await hands.press(page.locator('#main').getByRole('link', { name: 'Bugs' }).first())
      await hands.read(heading('Bugs'))
      await hands.press(page.getByRole('link', { name: 'Board', exact: true }))
      const first = page.locator('[data-card]').filter({ hasText: BUGS[0] ?? '' })
      await hands.read(first)
      if (!isPhone) await page.getByRole('link', { name: /Bugs.*10 open/ }).waitFor()
      const link = first.getByRole('link')
      if (way === 'keyboard') {
        await hands.goTo(page.locator('[data-card] a[tabindex="0"]'))
        for (let row = 1; row < BUGS.length; row++) await hands.key('ArrowDown', { isRepeated: row > 1 })
      }
      for (const column of STEPS_TO_DONE[way]) {
        const head = page.locator('[data-head]').filter({ has: page.getByRole('heading', { name: column }) })
        if (way === 'keyboard') {
          await inFocus(link).waitFor()
          await hands.key('Shift+ArrowRight')
        } else if (!isPhone) await hands.drag(link, head)
        else {
          await hands.press(first.getByRole('button', { name: /^Move bug/ }))
          const dialog = page.getByRole('dialog')
          const target = dialog.getByRole('radio', { name: new RegExp(`^${column}`) })
          await hands.read(target)
          await hands.tick(target)
          await hands.press(dialog.getByRole('button', { name: 'Move', exact: true }))
          await dialog.waitFor({ state: 'detached' })
        }
        await page
          .getByRole('status', { name: 'Messages' })
          .getByText(new RegExp(`moved to ${column}`))
          .waitFor()
      }

      process.stdout.write(`Empty site to the first done bug, by ${way}, ${width} px: ${String(hands)}\n`)
      expect(hands.seconds).toBeLessThanOrEqual(MAX_SECONDS)
      const { json: projects } = await api.get(
        `/projects?query=${encodeURIComponent(`{"shortname":"${shortname}"}`)}`,
        {
          as: ADA,
        },
      )
      const { json: trackers } = await api.get(`/projects/${projects[0].id}/trackers`, { as: ADA })
      const stored = await api.get(`/trackers/${trackers[0].id}/artifacts?limit=50`, { as: ADA })
      expect(stored.json.map(({ title: stored_title }: { title: string }) => stored_title).toSorted()).toEqual(
        BUGS.toSorted(),
      )
      const states = stored.json.filter(({ is_open }: { is_open: boolean }) => !is_open)
      expect(states).toMatchObject([{ title: BUGS[0], status: 'Verified' }])
      const invited = await api.get(`/projects/${projects[0].id}/invitations`, { as: ADA })
      expect(invited.json.map(({ email }: { email: string }) => email).toSorted()).toEqual(PEOPLE)
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
