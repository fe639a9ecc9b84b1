import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { print } from '../../../server/src/commands/print.ts'
import { startBrowser } from '../../../server/test/harness/browser.ts'
import { findDemoIds } from './demo-ids.ts'
import { type DemoSite, openWindowOf, startDemoSite } from './demo-site.ts'
import { MovingPicture } from './moving-picture.ts'
import { glide, middleOf, showPointer } from './pointer.ts'

// Records a board that two people have open, each in a window of their own: `npm run recording`.

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/screenshots/live-board.gif' } } })

const SIZE = { width: 656, height: 700 }
const FRAME_MS = 60
const KEY_MS = 70
const PAUSE_MS = 1500
/** Few enough cards that both windows show all of them. */
const FILTER = '@id > 158'
const DRAGGED = 'Show open disputes on the page of a merchant'
const REVIEWED = 'Test reloads of the confirmation page in CI'
const ADDED = 'Warn before an API key expires'
const COMMENT = 'The list is there, details follow.'

const site = await startDemoSite()
const browser = await startBrowser()
try {
  const [tom, mara] = [await openBoard(site, 'tom'), await openBoard(site, 'mara')]
  const picture = new MovingPicture([
    { page: tom, name: 'Tom' },
    { page: mara, name: 'Mara' },
  ])
  await record(picture, tom, mara)
  await mkdir(dirname(values.out), { recursive: true })
  const { size } = await picture.save(values.out)
  print(`${values.out}: ${picture.seconds().toFixed(1)} s, ${Math.round(size / 1024)} kB`)
} finally {
  await browser.close()
  await site.stop()
}

async function openBoard(of: DemoSite, login: string): Promise<Page> {
  const page = await openWindowOf(login, { browser, site: of, viewport: SIZE })
  const { tasks } = await findDemoIds(of)
  await showPointer(page)
  await page.goto(`${of.url}/trackers/${tasks}/board?q=${encodeURIComponent(FILTER)}`)
  await card(page, DRAGGED).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  return page
}

async function record(picture: MovingPicture, tom: Page, mara: Page): Promise<void> {
  const frame = () => picture.take(FRAME_MS)
  await picture.take(PAUSE_MS)

  picture.caption(tom, 'drags a card')
  const start = await middleOf(card(tom, DRAGGED))
  const end = await middleOf(card(tom, REVIEWED))
  await glide(tom, { x: 40, y: 600 }, start, frame)
  await tom.mouse.down()
  await glide(tom, start, end, frame)
  await tom.mouse.up()
  await picture.take(FRAME_MS * 3)
  await inColumn(mara, 'In progress', DRAGGED).waitFor()
  await picture.take(PAUSE_MS)

  picture.caption(mara, 'adds a card')
  const add = mara.getByRole('button', { name: 'Add task to Open' })
  const target = await middleOf(add)
  await glide(mara, { x: 420, y: 560 }, target, frame)
  await add.click()
  await mara.getByRole('textbox', { name: 'Open' }).waitFor()
  await picture.take(FRAME_MS * 4)
  await type(picture, mara, ADDED)
  await mara.keyboard.press('Enter')
  await card(tom, ADDED).waitFor()
  await picture.take(PAUSE_MS)
  await mara.keyboard.press('Escape')

  picture.caption(tom, 'presses s, then 3')
  await card(tom, REVIEWED).getByRole('link').focus()
  await picture.take(PAUSE_MS / 2)
  await tom.keyboard.press('s')
  await tom.getByPlaceholder('Change Status').waitFor()
  await picture.take(PAUSE_MS)
  await tom.keyboard.press('3')
  await inColumn(mara, 'In review', REVIEWED).waitFor()
  await picture.take(PAUSE_MS)

  picture.caption(mara, 'reads a card')
  await peek(mara)
  await picture.take(PAUSE_MS)
  picture.caption(tom, 'comments on it')
  await peek(tom)
  await picture.take(PAUSE_MS / 2)
  await tom.locator('[data-peek]').getByText('Comment…').click()
  await type(picture, tom, COMMENT)
  await tom.keyboard.press('Control+Enter')
  await mara.locator('[data-peek]').getByText(COMMENT).waitFor()
  await picture.take(PAUSE_MS * 2)
}

async function type(picture: MovingPicture, page: Page, text: string): Promise<void> {
  for (const key of text) {
    await page.keyboard.type(key)
    await picture.take(KEY_MS)
  }
}

async function peek(page: Page): Promise<void> {
  await card(page, DRAGGED).getByRole('link').focus()
  await page.keyboard.press('Space')
  await page.locator('[data-peek]').getByText('created this').waitFor()
}

function card(page: Page, title: string): Locator {
  return page.locator('[data-card]').filter({ hasText: title })
}

function inColumn(page: Page, column: string, title: string): Locator {
  return page.getByRole('list', { name: column }).locator('[data-card]').filter({ hasText: title })
}
