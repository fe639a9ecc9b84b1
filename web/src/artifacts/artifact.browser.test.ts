import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact } from '../../../server/test/fixtures/every-field.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('an artifact (needs Chromium: npm run setup)', async () => {
  const { api, clock, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const { tracker } = deliveries
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const saved = (page: Page) => page.getByText('Saved.').last().waitFor()
  const edit = (page: Page, label: string) => page.getByRole('button', { name: `Edit ${label}` }).click()
  const take = async (page: Page, offered: string) => {
    await page.getByRole('option', { name: offered }).waitFor()
    await page.waitForTimeout(200) // Completions are not accepted in the first milliseconds.
    await page.keyboard.press('Enter')
  }
  const delivery = (summary: string, more: object = {}) =>
    makeTestArtifact(api, tracker, { summary, status: 'Open', points: 5, ...more })
  const valueOf = async (id: number, name: string) => {
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: MARA })
    return json.values_by_field[name]
  }

  test('by mouse: is opened from home, edited in place, undone, and commented on', async () => {
    clock.set(new Date()) // Home shows recent artifacts.
    const id = await delivery('Mend the gate', { assigned_to: ['tom'] })
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM })
    await page.getByRole('link', { name: 'Mend the gate' }).click()
    await page.waitForURL(`**/artifacts/${id}`)
    await page.getByRole('heading', { name: 'Mend the gate', level: 1 }).waitFor()

    await edit(page, 'Points')
    await page.getByRole('textbox', { name: 'Points' }).fill('8')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved(page)
    expect(await valueOf(id, 'points')).toMatchObject({ value: 8 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown(page, 'Undone.')
    expect(await valueOf(id, 'points')).toMatchObject({ value: 5 })

    await edit(page, 'Status')
    expect(await page.getByRole('combobox', { name: 'Status' }).locator('option').allTextContents()).toEqual([
      'Open',
      'Working',
    ])
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('textbox', { name: 'Comment' }).fill('The hinges are **here**.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('strong', { hasText: 'here' }).waitFor()
    await page.getByRole('textbox', { name: 'Comment' }).locator('.cm-placeholder').waitFor()

    await page.getByLabel('Notify me about this artifact').selectOption('Nothing')
    await shown(page, 'Notifications: Nothing')
    expect((await api.get(`/artifacts/${id}/watch`, { as: TOM })).json).toMatchObject({ level: 'none' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: edits fields, keeps the input after a refusal, and asks for a required comment', async () => {
    const id = await delivery('Paint the gate')
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    const { keyboard } = page
    await shown(page, 'created this')
    await keyboard.press('e')
    await page.getByRole('textbox', { name: 'Summary' }).waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('Paint the gate green')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Paint the gate green', level: 1 }).waitFor()
    await saved(page)

    const points = page.getByRole('button', { name: 'Edit Points' })
    await tabTo(points)
    await keyboard.press('Enter')
    await keyboard.press('Control+a')
    await keyboard.type('many')
    await keyboard.press('Enter')
    await page.getByText('takes a number').first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Points' }).inputValue()).toBe('many')
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'Points' }).inputValue()).toBe('many')
    await tabTo(page.getByRole('textbox', { name: 'Points' }))
    await keyboard.press('Escape')
    await inFocus(points).waitFor()

    await tabTo(page.getByRole('button', { name: 'Add…' }))
    await keyboard.press('Enter')
    await tabTo(page.getByRole('button', { name: 'Add Tags' }))
    await keyboard.press('Enter')
    await keyboard.type('cold')
    await page.getByRole('option', { name: 'cold' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await keyboard.type('brand new')
    await page.getByRole('option', { name: 'Add “brand new”' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await keyboard.press('Control+Enter')
    await shown(page, 'brand new')
    await page.getByRole('button', { name: 'Edit Tags' }).waitFor()
    expect((await valueOf(id, 'tags')).bind_value_ids.toSorted()).toEqual(['brand new', 'cold'])

    await api.put(`/artifacts/${id}`, { as: TOM, body: { values_by_field: { status: 'Working' } } })
    await shown(page, 'tom has just changed this.')
    await tabTo(page.getByRole('button', { name: 'Edit Status' }))
    await keyboard.press('Enter')
    await inFocus(page.getByRole('combobox', { name: 'Status' })).waitFor()
    await keyboard.type('Closed')
    await keyboard.press('Control+Enter')
    await shown(page, 'This step needs a comment.')
    await tabTo(page.getByRole('button', { name: 'Write the comment' }))
    await keyboard.press('Enter')
    await keyboard.type('It is green.')
    await keyboard.press('Control+Enter')
    await page.getByText('It is green.').locator('visible=true').last().waitFor()
    await page.getByRole('button', { name: 'Edit Status' }).waitFor()
    expect((await valueOf(id, 'status')).values[0].label).toBe('Closed')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: the keys s, a, p and d change values at once; a click on a value opens its picker', async () => {
    const id = await delivery('Grease the gate')
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const { keyboard } = page
    await shown(page, 'created this')
    const picker = (field: string) => page.getByRole('dialog', { name: field })
    const pick = async (key: string, field: string, typed: string) => {
      await keyboard.press(key)
      await inFocus(picker(field).getByRole('combobox')).waitFor()
      await keyboard.type(typed)
      await keyboard.press('Enter')
      await picker(field).waitFor({ state: 'detached' })
    }
    await pick('s', 'Status', 'work')
    await expect.poll(() => valueOf(id, 'status')).toMatchObject({ values: [{ label: 'Working' }] })
    await saved(page)
    await pick('a', 'Assigned to', 'tom')
    await expect.poll(() => valueOf(id, 'assigned_to')).toMatchObject({ values: [{ username: 'tom' }] })
    await pick('d', 'Due', '24.12.2026')
    await expect.poll(async () => (await valueOf(id, 'due')).value).toMatch(/^2026-12-24/)
    await keyboard.press('p')
    await shown(page, 'This tracker has no field named priority.')

    const status = page.locator(`[data-field="${tracker.field('status')}"]`)
    await status.getByText('Working').click()
    await picker('Status').getByRole('option', { name: 'Open' }).click()
    await expect.poll(() => valueOf(id, 'status')).toMatchObject({ values: [{ label: 'Open' }] })

    // Beside another unsaved change, the value is edited in place and saved with it.
    await edit(page, 'Points')
    await page.getByRole('textbox', { name: 'Points' }).fill('13')
    await page.getByRole('heading', { level: 1 }).click()
    await keyboard.press('s')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Working')
    await keyboard.press('Control+Enter')
    await expect.poll(() => valueOf(id, 'points')).toMatchObject({ value: 13 })
    expect(await valueOf(id, 'status')).toMatchObject({ values: [{ label: 'Working' }] })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a comment continues lists, completes people and artifacts, and survives navigation', async () => {
    const other = await delivery('Oil the winch')
    const id = await delivery('Hang the gate')
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const { keyboard } = page
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.locator('.cm-placeholder').waitFor()
    await keyboard.press('m')
    await keyboard.type('- ask @mar')
    await page.getByRole('option', { name: '@mara' }).waitFor()
    expect((await new AxeBuilder({ page }).analyze()).violations.map((each) => each.id)).toEqual([])
    await keyboard.press('Escape')
    await page.getByRole('option', { name: '@mara' }).waitFor({ state: 'detached' })
    await keyboard.type('a')
    await take(page, '@mara')
    await keyboard.press('Enter')
    await keyboard.type('before #winch')
    await take(page, 'Oil the winch')
    await page.reload()
    await comment.locator('.cm-line', { hasText: 'before' }).waitFor()
    await keyboard.press('m')
    await keyboard.press('Control+Enter')
    await comment.locator('.cm-placeholder').waitFor()

    const { xref } = (await api.get(`/artifacts/${other}`, { as: TOM })).json
    const lastComment = async () =>
      (await api.get(`/artifacts/${id}/changesets?fields=comments&limit=50`, { as: TOM })).json.at(-1)?.last_comment
    // The editor is cleared as soon as the comment is sent.
    await expect.poll(lastComment).toMatchObject({ commonmark: `- ask @mara\n- before ${xref}` })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('merges changes by others to different fields, and asks about conflicts in the same field', async () => {
    const id = await delivery('Prune the trees', { details: 'All of them.' })
    const byTom = (values_by_field: object) => api.put(`/artifacts/${id}`, { as: TOM, body: { values_by_field } })
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await edit(page, 'Points')
    await page.getByRole('textbox', { name: 'Points' }).fill('13')
    await byTom({ due: '2026-12-24' })
    await page.getByRole('textbox', { name: 'Points' }).press('Enter')
    await shown(page, 'both changes are kept')
    await shown(page, '24 Dec 2026')
    expect(await valueOf(id, 'points')).toMatchObject({ value: 13 })

    await edit(page, 'Details')
    await edit(page, 'Points')
    await page.getByRole('textbox', { name: 'Details' }).fill('Only the old ones.')
    await page.getByRole('textbox', { name: 'Points' }).fill('21')
    await byTom({ details: 'All of them, in March.', points: 14 })
    await page.getByRole('textbox', { name: 'Points' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Version conflict' })
    await dialog.waitFor()
    await dialog.getByRole('group', { name: 'Points' }).getByLabel('Changed by Tom Tiller').check()
    const details = dialog.getByRole('group', { name: 'Details' })
    expect(await details.locator('ins').allTextContents()).toContain('added: , in March')
    await details.getByLabel('Combine both').check()
    await details.getByRole('textbox').fill('Only the old ones, in March.')
    await dialog.getByRole('button', { name: 'Save my choice' }).click()
    await dialog.waitFor({ state: 'detached' })
    await saved(page)
    expect(await valueOf(id, 'points')).toMatchObject({ value: 14 })
    expect(await valueOf(id, 'details')).toMatchObject({ commonmark: 'Only the old ones, in March.' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a dropped file resumes after a broken connection and is shown; a deleted file can be restored', async () => {
    const id = await delivery('Weigh the apples')
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await shown(page, 'Add files')
    const offsets: string[] = []
    await page.route('**/uploads/*', async (route) => {
      const request = route.request()
      if (request.method() !== 'PATCH') return route.continue()
      offsets.push(request.headers()['upload-offset'] ?? '')
      return offsets.length === 2 ? route.abort() : route.continue()
    })
    await page.evaluate(`{
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(2500000).fill(7)], 'weights.bin'))
      const input = document.querySelector('input[type=file]')
      input.closest('div').parentElement.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true }))
    }`)
    await shown(page, 'Attached “weights.bin”.')
    expect(offsets).toEqual(['0', '1048576', '1048576', '2097152'])
    await page.getByRole('link', { name: 'weights.bin' }).waitFor()
    expect((await valueOf(id, 'files')).file_descriptions).toMatchObject([{ name: 'weights.bin', size: 2_500_000 }])
    await page.getByRole('button', { name: 'Remove weights.bin' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown(page, 'Attached “weights.bin”.')

    await page.getByRole('textbox', { name: 'Comment' }).fill('It looks so:')
    await page.evaluate(`{
      const pasted = new DataTransfer()
      const dot = atob('R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=')
      pasted.items.add(new File([Uint8Array.from(dot, (each) => each.charCodeAt(0))], 'a (dot).gif', { type: 'image/gif' }))
      const box = document.querySelector('[data-name=comment]').shadowRoot.querySelector('[role=textbox]')
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, composed: true }))
    }`)
    await shown(page, 'Attached “a (dot).gif”.')
    await page.getByRole('button', { name: 'Preview' }).click()
    const picture = page.getByRole('img', { name: 'a (dot).gif' })
    await picture.waitFor()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'It looks so:' }).filter({ has: picture }).waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(`**/trackers/${tracker.id}`)
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('heading', { name: 'Weigh the apples', level: 1 }).waitFor()
    expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  test('a new one: similar artifacts are shown, the draft outlives the tab and a refusal', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${tracker.id}/new`, { as: TOM })
    const summary = page.getByRole('textbox', { name: 'Summary' })
    await summary.waitFor()
    await page.getByRole('textbox', { name: 'Details' }).fill('With the green soap.')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').filter({ hasText: 'Summary' }).waitFor()
    await summary.fill('Wash the other crates')
    await page.getByText('Similar artifacts').waitFor()
    expect(await page.getByRole('link', { name: 'Wash the crates' }).getAttribute('href')).toMatch(/^\/artifacts\/\d+$/)

    const other = await context.newPage()
    await page.close()
    await other.goto(`${api.origin}/trackers/${tracker.id}/new`)
    await shown(other, 'Restored from your draft.')
    await other.getByRole('textbox', { name: 'Details' }).filter({ hasText: 'With the green soap.' }).waitFor()
    await other.getByRole('combobox', { name: 'Assigned to' }).fill('tom')
    await other.getByRole('option', { name: 'Tom Tiller' }).click()
    await other.keyboard.press('Control+Enter')
    await other.getByRole('heading', { name: 'Wash the other crates', level: 1 }).waitFor()
    const id = Number(other.url().split('/').at(-1))
    expect(await valueOf(id, 'assigned_to')).toMatchObject({ bind_value_ids: [TOM.id] })
    expect(await valueOf(id, 'points')).toMatchObject({ value: 3 })
    expect(await valueOf(id, 'status')).toMatchObject({ values: [{ label: 'Open' }] })
    expect(await other.evaluate(`Object.keys(localStorage).filter((name) => name.includes('draft'))`)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a new one: “Create another” keeps the properties and empties the title', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${tracker.id}/new`, { as: TOM })
    const summary = page.getByRole('textbox', { name: 'Summary' })
    await summary.fill('First of two')
    await page.getByRole('combobox', { name: 'Assigned to' }).fill('tom')
    await page.getByRole('option', { name: 'Tom Tiller' }).click()
    await page.getByLabel('Create another').check()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect.poll(() => summary.inputValue()).toBe('')
    await inFocus(summary).waitFor()
    await summary.fill('Second of two')
    await page.getByLabel('Create another').uncheck()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Second of two', level: 1 }).waitFor()
    const id = Number(page.url().split('/').at(-1))
    expect(await valueOf(id, 'assigned_to')).toMatchObject({ bind_value_ids: [TOM.id] })
    expect(await valueOf(id - 1, 'summary')).toMatchObject({ value: 'First of two' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('without write permission there is no editor; deletion shows at once; each entry has its own address', async () => {
    const id = await delivery('Fetch the ladder')
    await api.put(`/artifacts/${id}`, { as: TOM, body: { comment: { body: 'It is in the barn.' } } })
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}#v2`, { as: OLGA })
    await shown(page, 'It is in the barn.')
    await page.locator('#v2:focus').waitFor()
    expect(await page.getByRole('button', { name: /^Edit / }).count()).toBe(0)
    await page.getByText('As an API call').click()
    await shown(page, `curl -H "X-Auth-AccessKey: $KEY" '${api.origin}/api/artifacts/${id}'`)
    await shown(page, "const answer = await waypost.call('GET /artifacts/{id}'")
    await api.delete(`/artifacts/${id}`, { as: MARA })
    await page.getByRole('heading', { name: 'There is no such artifact' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
