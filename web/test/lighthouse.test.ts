import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CHROMIUM } from '../../server/test/harness/browser.ts'
import { signInWithCookie } from '../../server/test/harness/browser-requests.ts'
import { SCREENS } from './screens.ts'
import { startPages } from './world.ts'

// Too large for every installation: `npm run lighthouse` downloads it on demand.
const LIGHTHOUSE = 'lighthouse@12.8.2'
const run = promisify(execFile)

/** Screens with their own address; axe checks dialogs and menus in screens.test.ts. */
const ADDRESSED = SCREENS.filter(({ prepare }) => !prepare)

const { api, ...made } = await startPages()

test.each(ADDRESSED)('$name is accessible: 100', async ({ path, as }) => {
  const address = `${api.origin}${typeof path === 'string' ? path : path(made)}`
  const { shown, score, failed } = await judge(address, as && (await signInWithCookie(api, as)).cookie)
  expect({ shown, score, failed }).toEqual({ shown: address.split('#')[0], score: 1, failed: [] })
})

async function judge(address: string, cookie: string | undefined) {
  const { stdout } = await run(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      address,
      '--only-categories=accessibility',
      '--preset=desktop',
      '--output=json',
      '--quiet',
      // Live pages are never network-idle.
      '--max-wait-for-load=8000',
      '--chrome-flags=--headless=new --no-sandbox',
      ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ cookie })}`]),
    ],
    { env: { ...process.env, CHROME_PATH: CHROMIUM }, maxBuffer: 100 * 1024 * 1024 },
  )
  const { finalDisplayedUrl, categories, audits }: Report = JSON.parse(stdout)
  const failed = categories.accessibility.auditRefs.filter(
    ({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1,
  )
  return {
    shown: finalDisplayedUrl.split('#')[0],
    score: categories.accessibility.score,
    failed: failed.map(({ id }) => id),
  }
}

interface Report {
  finalDisplayedUrl: string
  categories: { accessibility: { score: number; auditRefs: { id: string; weight: number }[] } }
  audits: Record<string, { score: number | null }>
}
