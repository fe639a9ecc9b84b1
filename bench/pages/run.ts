import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { print, table } from '../../server/src/commands/print.ts'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import { type Cluster, openCluster } from '../artifacts/cluster.ts'
import { startMeasured } from '../artifacts/server.ts'
import { givePassword, BENCH_PASSWORD } from '../artifacts/sign-in.ts'
import { giveKeys } from '../live/people.ts'
import { quantile, round, sorted } from '../quantiles.ts'
import { brokenByPages, BUDGETS, type Measure, type PageFigure } from './budgets.ts'
import { inputDelays, scriptBytes, timeUntil, watchForText } from './in-page.ts'

export interface PageOptions {
  readonly size: number
  /** The number of repetitions of each step. */
  readonly rounds: number
  readonly data: string
}

export interface PageFigures {
  readonly size: number
  readonly figures: readonly PageFigure[]
}

const CARDS = 500
/** A person does not click the next row sooner, and until then the table may still load what is new. */
const REST_MS = 500
/** Rows of the table that are visible on every screen size. */
const VISIBLE_ROWS = 10
/** An administrator, who may write all artifacts. */
const WRITER = 253

/** Waiting times in the browser. Undefined: Chromium is not installed. */
export async function measurePages({ size, rounds, data }: PageOptions): Promise<PageFigures | undefined> {
  if (CHROMIUM === undefined) {
    print('pages: left out, there is no Chromium (npm run setup)')
    return undefined
  }
  const cluster = await openCluster(size, data)
  try {
    await givePassword(cluster)
    const server = await startMeasured(cluster.appUrl, { WAYPOST_PUBLIC_URL: 'http://127.0.0.1' })
    const browser = await startBrowser()
    try {
      const figures = await measureAll(cluster, server, browser, rounds)
      printFigures(figures)
      return { size, figures }
    } finally {
      await browser.close()
      await server.stop()
    }
  } finally {
    await cluster.stop()
  }
}

async function measureAll(
  cluster: Cluster,
  { api }: ServerProcess,
  browser: Browser,
  rounds: number,
): Promise<readonly PageFigure[]> {
  const [me, writer] = await giveKeys(cluster, [0, WRITER])
  const headers = { 'x-auth-accesskey': me?.key ?? '' }
  const { username } = (await api.get('/users/self', { headers })).json
  const list = `/trackers/${cluster.ids.tracker}/artifacts?order=desc&fields=id,title`
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const page = await signIn(context, api.origin, username)
  const tracker = `${api.origin}/trackers/${cluster.ids.tracker}`
  const {
    json: [last],
  } = await api.get(`${list}&limit=1&offset=${CARDS - 1}`, { headers })
  const { json: newest } = await api.get(`${list}&limit=${rounds}`, { headers })

  const scripts = [await scriptBytes(page)]
  const palette = await measurePalette(page, rounds)
  const opened = await openArtifacts(
    page,
    tracker,
    newest.map(({ id }: { id: number }) => id),
  )
  await page.goto(tracker)
  await page.locator('[role="gridcell"] a').first().waitFor()
  const input = await measureInput(page, rounds)
  // Columns of closed artifacts are collapsed at first, and would not draw their cards.
  await page.goto(`${tracker}/board?q=${encodeURIComponent(`@id >= ${last.id}`)}`)
  await page.locator('[data-card]').first().waitFor()
  const collapsed = page.getByRole('button', { name: /^Expand / })
  while ((await collapsed.count()) > 0) await collapsed.first().click()
  const boards: number[] = []
  const wholeBoards: number[] = []
  for (let turn = 0; turn < rounds / 4; turn++) {
    await page.goto(`${tracker}?q=${encodeURIComponent(`@id >= ${last.id}`)}`)
    await page.locator('[role="gridcell"] a').first().waitFor()
    const cards = `document.querySelectorAll('[data-card]').length`
    const open = `document.querySelector('a[href*="/board"]').click(); window.opened = performance.now()`
    boards.push(await timeUntil(page, open, `${cards} > 0`))
    wholeBoards.push(await timeUntil(page, '', `${cards} === ${CARDS}`, 'window.opened'))
  }
  const change = (id: number, title: string) =>
    api.put(`/artifacts/${id}`, {
      headers: { 'x-auth-accesskey': writer?.key ?? '' },
      body: { values_by_field: { title } },
    })
  const others: number[] = []
  for (const [index, { id }] of newest.slice(0, rounds).entries()) {
    const title = `Changed by somebody else, time ${index}`
    const seen = watchForText(page, title)
    const { status, text } = await change(id, title)
    if (status !== 200) throw new Error(text)
    const answered = performance.timeOrigin + performance.now()
    others.push(Math.max(0, (await seen) - answered))
  }
  await context.close()
  return [
    figure('click_to_paint', input),
    figure('artifact_cold', opened.cold),
    figure('artifact_warm', opened.warm),
    figure('board', boards),
    figure('board_whole', wholeBoards),
    figure('palette_open', palette.open),
    figure('palette_key', palette.keys),
    figure('change_of_others', others),
    figure('first_scripts', scripts),
  ]
}

async function signIn(context: BrowserContext, origin: string, login: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Login').fill(login)
  await page.getByLabel('Password').fill(BENCH_PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /^Good / }).waitFor()
  // With an empty cache, except for the session.
  await page.reload()
  await page.getByRole('heading', { level: 1, name: /^Good / }).waitFor()
  return page
}

/** The time from the key to the open palette, and from a letter to the next paint. */
async function measurePalette(page: Page, rounds: number) {
  const open: number[] = []
  const keys: number[] = []
  for (let turn = 0; turn <= rounds; turn++) {
    const press = `document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))`
    const time = await timeUntil(page, press, `document.querySelector('[role="dialog"] [role="option"]') !== null`)
    // The first time includes loading its code.
    if (turn > 0) open.push(time)
    keys.push(...(await inputDelays(page, 4, () => page.keyboard.type('proj'))))
    // The first Escape clears the input.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  return { open, keys }
}

/** The time from a row of the table to its page, cold and warm. */
async function openArtifacts(page: Page, tracker: string, ids: readonly number[]) {
  const cold: number[] = []
  const warm: number[] = []
  for (const [at, id] of ids.entries())
    for (const times of [cold, warm]) {
      // Only visible rows can be clicked.
      if (at % VISIBLE_ROWS === 0 && times === cold)
        await page.goto(`${tracker}?q=${encodeURIComponent(`@id <= ${id}`)}`)
      const link = `[role="gridcell"] a[href="/artifacts/${id}"]`
      await page.locator(link).first().waitFor()
      await pause(REST_MS)
      const isThere = `location.pathname === '/artifacts/${id}' && document.querySelector('article, [id^="v"]') !== null`
      times.push(await timeUntil(page, `document.querySelector('${link}').click()`, isThere))
      await page.goBack()
    }
  return { cold, warm }
}

/** Moves through the cells by arrow keys and by clicks. */
async function measureInput(page: Page, rounds: number): Promise<number[]> {
  await page.getByRole('grid').focus()
  const keys = await inputDelays(page, 2 * rounds, async () => {
    for (let turn = 0; turn < rounds; turn++) {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
    }
  })
  const cells = page.locator('[role="gridcell"][data-column="2"]')
  const clicks = await inputDelays(page, Math.min(10, rounds), async () => {
    for (let turn = 0; turn < Math.min(10, rounds); turn++) await cells.nth(turn).click({ position: { x: 3, y: 3 } })
  })
  return [...keys, ...clicks]
}

function figure(measure: Measure, values: readonly number[]): PageFigure {
  if (values.length === 0) throw new Error(`Nothing was measured of ${measure}.`)
  const inOrder = sorted(values)
  return { measure, count: values.length, p50: round(quantile(inOrder, 0.5)), p95: round(quantile(inOrder, 0.95)) }
}

function printFigures(figures: readonly PageFigure[]): void {
  print(
    table([
      ['page', 'budget', 'p50', 'p95', 'times', ''],
      ...figures.map(({ measure, count, p50, p95 }) => {
        const { label, most, unit } = BUDGETS[measure]
        const isKept = brokenByPages([{ measure, count, p50, p95 }]).length === 0
        const withUnit = (value: number) => `${value} ${unit}`
        return [label, withUnit(most), withUnit(p50), withUnit(p95), String(count), isKept ? '' : 'over']
      }),
    ]),
  )
}
