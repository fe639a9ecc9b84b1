import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, OLGA, type TestPerson, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('new trackers (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const makeProject = async (shortname: string, as: TestPerson = MARA) => {
    const body = { shortname, label: shortname.toUpperCase(), is_public: true, template_id: 100 }
    const { status, text, json } = await api.post('/projects', { as, body })
    if (status !== 201) throw new Error(text)
    return Number(json.id)
  }
  const listed = async (project: number): Promise<{ label: string; item_name: string; id: number }[]> =>
    (await api.get(`/projects/${project}/trackers?limit=50`, { as: MARA })).json
  const tracker = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Trackers' }).getByRole('link', { name, exact: true })

  test(
    'by mouse: a project without trackers offers the gallery; two templates, then the first bug',
    patient,
    async () => {
      const project = await makeProject('valves')
      const { page, context, complaints } = await visit(browser, api, '/projects/valves', { as: MARA })
      await page.getByRole('checkbox', { name: 'Bugs', exact: true }).check()
      await page.getByRole('checkbox', { name: 'Scrum', exact: true }).check()
      await page.getByText('2 chosen').waitFor()
      await page.getByRole('button', { name: 'Create 2 trackers' }).click()
      await tracker(page, 'Stories').waitFor()
      await page.getByText('Created 2 trackers.').waitFor()
      expect((await listed(project)).map(({ label }) => label)).toEqual(['Bugs', 'Stories'])

      await page.getByRole('link', { name: 'New artifact in Bugs' }).click()
      await page.getByText('Describe one bug').waitFor()
      await page.getByRole('textbox', { name: 'Title' }).fill('The valve sticks')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { name: 'The valve sticks' }).waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  test('by keyboard alone, on a phone, in German: from the project to a tracker, and undo', patient, async () => {
    const project = await makeProject('seals')
    await api.post(`/projects/${project}/trackers`, { as: MARA, body: { template: 'tasks' } })
    const options = { as: MARA, width: 390, locale: 'de-DE' }
    const { page, context, complaints } = await visit(browser, api, '/projects/seals', options)
    await page.getByRole('link', { name: 'Neuer Tracker' }).waitFor()
    await tabTo(page.getByRole('link', { name: 'Neuer Tracker' }))
    await page.keyboard.press('Enter')
    await inFocus(page.getByRole('heading', { name: 'Neuer Tracker', level: 1 })).waitFor()
    await page.getByText('Schon in diesem Projekt').waitFor()
    await page.getByText('Bitte zuerst eine Vorlage wählen.').waitFor()
    await tabTo(page.getByRole('checkbox', { name: 'Aufgaben' }))
    await page.keyboard.press('Space')
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Aufgaben 2')
    const found = await new AxeBuilder({ page }).setLegacyMode().include('#main').analyze()
    expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('Der Tracker Aufgaben 2 wurde angelegt.').waitFor()
    expect((await listed(project)).map(({ item_name }) => item_name).toSorted()).toEqual(['task', 'task_2'])
    await page.keyboard.press('u')
    await page.getByText('Der Tracker liegt im Papierkorb.').waitFor()
    expect((await listed(project)).map(({ item_name }) => item_name)).toEqual(['task'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('from another tracker, from a file and empty', patient, async () => {
    const project = await makeProject('flanges')
    const { json: made } = await api.post(`/projects/${project}/trackers`, { as: MARA, body: { template: 'risks' } })
    const { page, context, complaints } = await visit(browser, api, '/projects/flanges/trackers/new?from=copy', {
      as: MARA,
    })
    await page.getByLabel('Tracker', { exact: true }).selectOption('Risks')
    expect(await page.getByLabel('Item name').inputValue()).toBe('risk_2')
    await page.getByLabel('Name', { exact: true }).fill('Hazards')
    await page.getByLabel('Item name').fill('risk')
    await page.getByRole('button', { name: 'Create tracker' }).click()
    await page
      .getByText(/name .*taken|already/i)
      .first()
      .waitFor()
    await page.getByLabel('Item name').fill('hazard')
    await page.getByRole('button', { name: 'Create tracker' }).click()
    await page.getByText('Created the tracker Hazards.').waitFor()

    await page.goto(`${api.origin}/projects/flanges/trackers/new?from=file`)
    const file = (content: string) => ({
      name: 'tracker.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
    const input = page.getByLabel('Definition (JSON file)')
    await input.setInputFiles(file('[1]'))
    await page.getByText('This file is not a JSON object.').waitFor()
    await input.setInputFiles(
      file('{"label":"X","item_name":"x","elements":[{"name":"a","type":"nonsense","label":"A"}]}'),
    )
    await page.getByText('/elements/0/type').waitFor()
    const { json: definition } = await api.get(`/trackers/${made.id}/definition`, { as: MARA })
    await input.setInputFiles(file(JSON.stringify({ ...definition, label: 'Dangers', item_name: 'danger' })))
    await page.getByText('6 states').waitFor()
    await page.getByRole('button', { name: 'Create tracker' }).click()
    await page.getByText('Created the tracker Dangers.').waitFor()

    await page.goto(`${api.origin}/projects/flanges/trackers/new?from=empty`)
    await page.getByLabel('Name', { exact: true }).fill('Spare parts')
    expect(await page.getByLabel('Item name').inputValue()).toBe('spare_parts')
    await page.getByRole('button', { name: 'Create tracker' }).click()
    await page.waitForURL('**/trackers/*')
    await page.getByText('Created the tracker Spare parts.').waitFor()

    expect((await listed(project)).map(({ item_name }) => item_name)).toEqual([
      'danger',
      'hazard',
      'risk',
      'spare_parts',
    ])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is not offered to members who do not administer the project', async () => {
    await makeProject('gaskets')
    for (const as of [TOM, OLGA]) {
      const { page, context, complaints } = await visit(browser, api, '/projects/gaskets', { as })
      await page.getByText('This project has no trackers yet.').waitFor()
      expect(await page.getByRole('checkbox').count()).toBe(0)
      await page.goto(`${api.origin}/projects/gaskets/trackers/new`)
      await page.getByText('Only administrators of the project can create trackers.').waitFor()
      expect(complaints).toEqual([])
      await context.close()
    }
  })
})
