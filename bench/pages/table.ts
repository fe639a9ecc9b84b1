import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { print, table } from '../../server/src/commands/print.ts'
import { startBrowser } from '../../server/test/harness/browser.ts'
import type { TestClient } from '../../server/test/harness/client.ts'
import { type Cluster, openCluster } from '../artifacts/cluster.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import { startMeasured } from '../artifacts/server.ts'
import { givePassword, BENCH_PASSWORD } from '../artifacts/sign-in.ts'
import { quantile, round, sorted } from '../quantiles.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    data: { type: 'string' },
    times: { type: 'string', default: '40' },
  },
})
const TIMES = Number(values.times)
const WIDE = { width: 1440, height: 900 }
/** The budgets in ms, at the 95th percentile. */
const BUDGET = { key: 50, change: 150 }

interface Figure {
  readonly what: string
  readonly measured: readonly number[]
  readonly budget: number | undefined
}

/** Measures the table of a tracker with very many rows in a real browser. */
async function measurePages(): Promise<boolean> {
  const data = values.data ?? (await mkdtemp(join(tmpdir(), 'waypost-bench-')))
  const cluster = await openCluster(Number(values.size), data)
  const figures: Figure[] = []
  try {
    await givePassword(cluster)
    // Over plain HTTP the browser keeps the cookie only if the configured URL is HTTP as well.
    const server = await startMeasured(cluster.serverUrl, {
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_PUBLIC_URL: 'http://127.0.0.1',
    })
    const browser = await startBrowser()
    try {
      const page = await browser.newPage({ viewport: WIDE })
      await signIn(page, server.api)
      figures.push(await measureOpening(page, server.api, cluster))
      figures.push(await measureKeys(page), await measureScrolling(page), await measureJumps(page))
      figures.push(await measureChanges(page, server.api))
    } finally {
      await browser.close()
      await server.stop()
    }
  } finally {
    await cluster.stop()
    if (values.data === undefined) await rm(data, { recursive: true, force: true })
  }
  const rows = figures.map(({ what, measured, budget }) => {
    const inOrder = sorted(measured)
    const [p50, p95] = [quantile(inOrder, 0.5), quantile(inOrder, 0.95)].map((value) => String(round(value)))
    return [what, String(measured.length), p50 ?? '', p95 ?? '', budget === undefined ? '' : String(budget)]
  })
  print(table([['of the page, in milliseconds', 'times', 'p50', 'p95', 'budget'], ...rows]))
  return figures.every(({ measured, budget }) => budget === undefined || quantile(sorted(measured), 0.95) <= budget)
}

async function signIn(page: Page, { origin }: TestClient): Promise<void> {
  const self = await fetch(`${origin}/api/users/self`, { headers: { 'x-auth-accesskey': benchAccessKey('member') } })
  const { username }: { username: string } = JSON.parse(await self.text())
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Login').fill(username)
  await page.getByLabel('Password').fill(BENCH_PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Good / }).waitFor()
}

async function measureOpening(page: Page, { origin }: TestClient, { ids }: Cluster): Promise<Figure> {
  const measured: number[] = []
  for (let time = 0; time < 5; time++) {
    const begun = performance.now()
    await page.goto(`${origin}/trackers/${ids.tracker}`)
    await page.getByRole('row').nth(10).getByRole('link').first().waitFor()
    measured.push(performance.now() - begun)
  }
  await page.getByText('Live', { exact: true }).waitFor()
  return { what: 'open the table, everything anew', measured, budget: undefined }
}

/** The delay from each key to the next paint; the browser does not report events below 16 ms. */
async function measureKeys(page: Page): Promise<Figure> {
  await page.getByRole('grid').focus()
  await page.evaluate(`
    globalThis.slow = []
    new PerformanceObserver((list) => slow.push(...list.getEntries().filter(({ name }) => name === 'keydown')))
      .observe({ type: 'event', durationThreshold: 16 })`)
  for (let time = 0; time < TIMES; time++) {
    await page.keyboard.press(time % 8 === 7 ? 'PageDown' : 'ArrowDown')
    await page.waitForTimeout(30)
  }
  await page.waitForTimeout(200)
  const slow = await page.evaluate<number[]>('slow.map(({ duration }) => duration)')
  const quick = Array.from({ length: Math.max(0, TIMES - slow.length) }, () => 16)
  return { what: 'key to paint', measured: [...slow, ...quick], budget: BUDGET.key }
}

/** The intervals between frames during fast scrolling. */
async function measureScrolling(page: Page): Promise<Figure> {
  const measured = await page.evaluate<number[]>(`new Promise((resolve) => {
    const grid = document.querySelector('[role="grid"]')
    const gaps = []
    let last = performance.now()
    const step = (now) => {
      gaps.push(now - last)
      last = now
      grid.scrollTop += 700
      if (gaps.length < 120) requestAnimationFrame(step)
      else resolve(gaps.slice(1))
    }
    requestAnimationFrame(step)
  })`)
  return { what: 'frame to frame while scrolling', measured, budget: undefined }
}

/** The time from a jump to rows that are not loaded until they are shown. */
async function measureJumps(page: Page): Promise<Figure> {
  const measured: number[] = []
  for (let time = 0; time < 10; time++) {
    const begun = performance.now()
    await page.evaluate(`(() => {
      const grid = document.querySelector('[role="grid"]')
      grid.scrollTop = grid.scrollHeight * ${(time * 0.37) % 1}
    })()`)
    await page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const rows = [...document.querySelectorAll('[role="row"]')]
        const isThere = rows.length > 10 && rows.every((row) => row.getAttribute('aria-busy') !== 'true')
        return isThere ? resolve() : requestAnimationFrame(look)
      }
      requestAnimationFrame(() => requestAnimationFrame(look))
    })`)
    measured.push(performance.now() - begun)
  }
  return { what: 'jump to rows that were never seen', measured, budget: undefined }
}

/** Another person renames the first row: the time from the response to the visible change. */
async function measureChanges(page: Page, { origin }: TestClient): Promise<Figure> {
  await page.evaluate(`document.querySelector('[role="grid"]').scrollTop = 0`)
  const first = page.getByRole('row').nth(1)
  await page.waitForTimeout(1_000)
  const [, id = ''] = /(\d+)$/.exec((await first.getByRole('link').first().textContent()) ?? '') ?? []
  const measured: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const title = `Renamed for the ${time}th time`
    const seen = page.evaluate<number>(`new Promise((resolve) => {
      const look = () => document.body.textContent.includes(${JSON.stringify(title)}) && resolve(Date.now())
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    })`)
    const answer = await fetch(`${origin}/api/artifacts/${id}`, {
      method: 'PUT',
      headers: { 'x-auth-accesskey': benchAccessKey('admin'), 'content-type': 'application/json' },
      body: JSON.stringify({ values_by_field: { title: { value: title } } }),
    })
    const answered = Date.now()
    if (!answer.ok) throw new Error(await answer.text())
    measured.push(Math.max(0, (await seen) - answered))
  }
  return { what: 'a change of somebody else on my screen', measured, budget: BUDGET.change }
}

process.exitCode = (await measurePages()) ? 0 : 1
