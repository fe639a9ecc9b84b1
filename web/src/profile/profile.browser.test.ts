import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { readWebUi, WEB_UI_FOLDER } from '../../../server/src/platform/http/web-ui.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { runJobs } from '../../../server/test/harness/run-jobs.ts'
import { startWorld } from '../../../server/test/harness/start-world.ts'
import { unzip } from '../../../server/test/harness/unzip.ts'
import { startMailPeer } from '../../../server/test/peers/mail-peer.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'

const patient = { timeout: 30_000 }

describe.skipIf(CHROMIUM === undefined)('the profile of a person (needs Chromium: npm run setup)', async () => {
  const webUi = await readWebUi(WEB_UI_FOLDER)
  if (!webUi) throw new Error('The pages are not built: npm run build.')
  const peer = await startMailPeer()
  const { api, context, clock } = await startWorld({
    seedOnce: true,
    webUi,
    environment: { WAYPOST_PUBLIC_URL: 'http://127.0.0.1', WAYPOST_SMTP_URL: peer.url },
  })
  clock.set(new Date())
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const self = async (as = TOM) => (await api.get('/users/self', { as })).json
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor(patient)
  /** The colour in the middle of the first picture of a person in this part of the page. */
  const colorIn = (page: Page, part: string) =>
    page.evaluate<string | undefined>(`(async () => {
      const picture = document.querySelector(${JSON.stringify(`${part} img[src*="/avatars/"]`)})
      if (!picture) return undefined
      await picture.decode()
      const pen = new OffscreenCanvas(1, 1).getContext('2d')
      pen.drawImage(picture, -picture.naturalWidth / 2, -picture.naturalHeight / 2)
      return Array.from(pen.getImageData(0, 0, 1, 1).data.slice(0, 3), (part) => Math.round(part / 64)).join()
    })()`)

  test('by mouse: upload a picture, which others see beside the name, and remove it', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/', { as: TOM })
    await page.getByRole('link', { name: /Tom Tiller/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload a picture…' }).click()
    const photograph = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#00f' } })
      .jpeg()
      .toBuffer()
    await (await choosing).setFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: photograph })
    await shown(page, 'Your picture has been saved.')
    await expect.poll(() => colorIn(page, 'main'), patient).toBe('0,0,4')
    await expect.poll(() => colorIn(page, 'header'), patient).toBe('0,0,4')

    const other = await visit(browser, api, '/projects/orchard', { as: MARA })
    await other.page.getByText('Tom Tiller').first().waitFor()
    await expect.poll(() => colorIn(other.page, 'main'), patient).toBe('0,0,4')

    await page.getByRole('button', { name: 'Remove the picture' }).click()
    await shown(page, 'Your picture has been removed.')
    await expect.poll(() => page.locator('img[src*="/avatars/"]').count(), patient).toBe(0)
    // A page that was loaded before shows initials, if its picture is gone.
    await other.page.reload()
    await other.page.getByText('Tom Tiller').first().waitFor()
    expect(await other.page.locator('img[src*="/avatars/"]').count()).toBe(0)
    expect([...complaints, ...other.complaints]).toEqual([])
    await tab.close()
    await other.context.close()
  })

  test('a file that is not a picture is refused by the page', async () => {
    const { page, context: tab } = await visit(browser, api, '/account/profile', { as: TOM })
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload a picture…' }).click()
    await (await choosing).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
    await shown(page, '“notes.txt” is not a picture')
    expect((await self()).has_avatar).toBe(false)
    await tab.close()
  })

  test('by keyboard on a phone: change the name, and undo', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/account/profile', { as: TOM, width: 390 })
    const { keyboard } = page
    const name = page.getByRole('textbox', { name: 'Your name' })
    await tabTo(name)
    await keyboard.press('End')
    await keyboard.type(' Senior')
    await keyboard.press('Enter')
    await shown(page, 'Saved.')
    await expect.poll(async () => (await self()).real_name, patient).toBe('Tom Tiller Senior')
    await inFocus(name).waitFor()
    await tabTo(page.getByRole('button', { name: 'Save' }))
    await keyboard.press('u')
    await expect.poll(async () => (await self()).real_name, patient).toBe('Tom Tiller')
    await expect.poll(() => name.inputValue(), patient).toBe('Tom Tiller')
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('change the address: a mail confirms it, and is sent again', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/account/profile', { as: TOM })
    await shown(page, `Mails go to ${TOM.email}.`)
    await page.getByRole('textbox', { name: 'New address' }).fill('tom@new.example')
    await page.getByRole('button', { name: 'Change the address' }).click()
    await shown(page, 'Open the link in the mail to tom@new.example')
    await page.getByRole('button', { name: 'Send the mail again' }).click()
    await shown(page, 'A mail has been sent to tom@new.example.')
    await runJobs(context)
    expect(peer.mails.filter(({ to }) => to.includes('tom@new.example'))).toHaveLength(2)
    expect(await self()).toMatchObject({ email: TOM.email, pending_email: 'tom@new.example' })
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('request the own data, and download the file when it is ready', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/account/profile', { as: MARA })
    await page.getByRole('button', { name: 'Request the file' }).click()
    await shown(page, 'The file is being made.')
    await runJobs(context)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the file' }).click(patient)
    const files = unzip(await readFile(await (await download).path()))
    expect(files.get('account.ndjson')).toContain('"username":"mara"')
    expect(complaints).toEqual([])
    await tab.close()
  })
})
