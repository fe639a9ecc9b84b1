import { afterAll, describe, expect, test } from 'vitest'
import { makeTestArtifact } from '../../../server/test/fixtures/every-field.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const TASKS = 'Before six:\n\n- [ ] oil **hinges**\n- [x] paint\n'

describe.skipIf(CHROMIUM === undefined)('texts of an artifact (need Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const make = (values: object) =>
    makeTestArtifact(api, deliveries.tracker, { summary: 'Mend the gate', status: 'Open', ...values })
  const valueOf = async (id: number, name: string) => {
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: MARA })
    return json.values_by_field[name]
  }

  test('tasks are ticked in place, in a text and in a comment, beside changes of others', async () => {
    const id = await make({ details: { value: TASKS, format: 'commonmark' } })
    const comment = { body: '- [ ] ask Olga', format: 'commonmark' }
    await api.put(`/artifacts/${id}`, { as: TOM, body: { values: [], comment } })
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const box = (name: string) => page.getByRole('checkbox', { name })
    await box('oil hinges').waitFor()
    expect(await box('paint').isChecked()).toBe(true)
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { points: 8 } } })
    await box('oil hinges').click()
    const done = TASKS.replace('[ ] oil', '[x] oil')
    await expect.poll(async () => (await valueOf(id, 'details')).commonmark.trim()).toBe(done.trim())
    expect(await valueOf(id, 'points')).toMatchObject({ value: 8 })
    await expect.poll(() => box('oil hinges').isChecked()).toBe(true)

    await box('ask Olga').click()
    await expect.poll(() => box('ask Olga').isChecked()).toBe(true)
    const { json } = await api.get(`/artifacts/${id}/changesets`, { as: MARA })
    expect(json[1].last_comment.commonmark).toBe('- [x] ask Olga')
    expect(complaints).toEqual([])
    await context.close()

    const reader = await visit(browser, api, `/artifacts/${id}`, { as: OLGA })
    await reader.page.getByRole('checkbox', { name: 'paint' }).waitFor()
    expect(await reader.page.getByRole('checkbox', { name: 'paint' }).isDisabled()).toBe(true)
    await reader.context.close()
  })

  test('a toolbar formats the selection, by mouse and by keyboard', async () => {
    const id = await make({})
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const { keyboard } = page
    const comment = page.getByRole('textbox', { name: 'Comment', exact: true })
    await comment.locator('.cm-placeholder').waitFor()
    await comment.fill('oil it')
    await keyboard.press('Control+a')
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
    await toolbar.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => comment.textContent()).toBe('**oil it**')
    await keyboard.press('Control+b')
    await expect.poll(() => comment.textContent()).toBe('oil it')
    await tabTo(toolbar.getByRole('button', { name: 'Bold' }), 'Shift+Tab')
    for (let at = 0; at < 5; at++) await keyboard.press('ArrowRight')
    await inFocus(toolbar.getByRole('button', { name: 'Task list' })).waitFor()
    await keyboard.press('Enter')
    await expect.poll(() => comment.textContent()).toBe('- [ ] oil it')
    await inFocus(comment).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('files that are dropped or pasted anywhere on the page are attached', async () => {
    const id = await make({})
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await page.getByText('Add files').first().waitFor()
    const send = (type: 'drop' | 'paste', name: string) =>
      page.evaluate(`{
        const files = new DataTransfer()
        files.items.add(new File(['weights'], '${name}'))
        const event = '${type}' === 'drop'
          ? new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true })
        document.querySelector('h1').dispatchEvent(event)
      }`)
    await send('drop', 'dropped.txt')
    await page.getByRole('link', { name: 'dropped.txt' }).waitFor()
    await send('paste', 'pasted.txt')
    await page.getByRole('link', { name: 'pasted.txt' }).waitFor()
    expect((await valueOf(id, 'files')).file_descriptions).toHaveLength(2)
    expect(complaints).toEqual([])
    await context.close()
  })
})
