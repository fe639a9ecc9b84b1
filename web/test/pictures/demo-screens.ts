import type { Page } from 'playwright-core'

/** The ids of the demo data that screens need. */
export interface DemoIds {
  readonly tasks: number
  readonly bugs: number
  /** A bug with everything that an artifact can have. */
  readonly bug: number
}

export interface DemoScreen {
  readonly name: string
  readonly as: string
  readonly path: (ids: DemoIds) => string
  /** A text that is there when the screen is complete. */
  readonly shows: string
  readonly prepare?: (page: Page) => Promise<unknown>
}

const query = (text: string) => encodeURIComponent(text)

/** The screens of the demo data. Tom has an inbox and work; Mara administers the project. */
export const DEMO_SCREENS: readonly DemoScreen[] = [
  { name: 'home', as: 'tom', path: () => '/', shows: 'Face unlock is asked twice' },
  {
    name: 'project',
    as: 'mara',
    path: () => '/projects/payments',
    shows: 'Checkout freezes for three seconds',
  },
  {
    name: 'table',
    as: 'tom',
    path: ({ bugs }) => `/trackers/${bugs}?q=${query('@id > 0')}`,
    shows: 'Dispute page shows dates',
  },
  {
    name: 'board',
    as: 'tom',
    path: ({ tasks }) => `/trackers/${tasks}/board`,
    shows: 'Repeat webhooks with growing delays',
  },
  {
    name: 'artifact',
    as: 'tom',
    path: ({ bug }) => `/artifacts/${bug}`,
    shows: 'created this',
  },
  {
    name: 'artifact-comments',
    as: 'tom',
    path: ({ bug }) => `/artifacts/${bug}`,
    shows: 'created this',
    prepare: (page) => page.getByText('Reproduced with the test bank').scrollIntoViewIfNeeded(),
  },
  {
    name: 'table-peek',
    as: 'tom',
    path: ({ bugs, bug }) => `/trackers/${bugs}?peek=${bug}`,
    shows: 'Deployed to staging',
  },
  {
    name: 'search',
    as: 'tom',
    path: () => '/search?q=refund',
    shows: '7 artifacts',
  },
  {
    name: 'palette',
    as: 'tom',
    path: ({ bugs }) => `/trackers/${bugs}`,
    shows: 'Polish receipts show the tax rate',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('refu')
      await page.getByRole('option', { name: 'Find and refund double captures' }).waitFor()
    },
  },
  {
    name: 'inbox',
    as: 'tom',
    path: () => '/inbox',
    shows: 'is this the cold cache',
    // A wide screen shows the first entry beside the list.
    prepare: async (page) => {
      if ((page.viewportSize()?.width ?? 0) > 1280) await page.locator('[data-peek]').getByText('Activity').waitFor()
    },
  },
  {
    name: 'dashboard',
    as: 'mara',
    path: () => '/projects/payments/dashboard',
    shows: 'Bugs in the last month',
    prepare: async (page) => {
      await page.locator('canvas').first().waitFor()
      await page.getByText('in 7 days').nth(1).waitFor()
    },
  },
  {
    name: 'charts',
    as: 'mara',
    path: ({ bugs }) => `/trackers/${bugs}/charts`,
    shows: 'Open over time',
    prepare: (page) => page.locator('canvas').first().waitFor(),
  },
  {
    name: 'workflow',
    as: 'mara',
    path: ({ bugs }) => `/trackers/${bugs}/administration/workflow`,
    shows: 'Graph',
  },
  {
    name: 'new-tracker',
    as: 'mara',
    path: () => '/projects/payments/trackers/new',
    shows: 'Requirements',
  },
  {
    name: 'members',
    as: 'mara',
    path: () => '/projects/payments/settings/members',
    shows: 'Samuel Okafor',
  },
]

/** The home of the administrator of a new site. */
export const FIRST_SCREEN: DemoScreen = {
  name: 'first-run',

  as: 'ada',
  path: () => '/',
  shows: 'First steps',
}
