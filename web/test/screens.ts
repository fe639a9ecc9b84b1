import type { Page } from 'playwright-core'
import type { Say } from './say.ts'
import type { Screen, TestDataIds } from './screen.ts'
import { MARA, OLGA, TOM } from '../../server/test/fixtures/people.ts'
import { SCREENS_OF_ADMINISTRATION } from './screens-of-administration.ts'
import { SCREENS_OF_NEW_TRACKER } from './screens-of-new-tracker.ts'
import { SCREENS_OF_PROJECTS } from './screens-of-projects.ts'
import { SCREENS_OF_REPOSITORIES } from './screens-of-repositories.ts'
import { SCREENS_OF_TRACKER_ADMINISTRATION } from './screens-of-tracker-administration.ts'
import { pressArtifactAction } from './menu.ts'

const press = (name: string) => (page: Page, say: Say) =>
  page
    .getByRole('button', { name: say(name) })
    .first()
    .click()

const DIALOG = '[role="dialog"]'

function fewRows({ harvest }: TestDataIds): string {
  return `/trackers/${harvest}?q=${encodeURIComponent('name = "row 25" ORDER BY @id')}`
}

/** In the middle of the changes of the timeline. */
function fewDaysAgo(): string {
  return `${new Date(Date.now() - 4.5 * 86_400_000).toISOString().slice(0, 19)}Z`
}

/** Every screen, with its dialogs and menus. */
export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', shows: 'Forgotten your password?' },
  { name: 'sign-in-refused', path: '/sign-in', shows: 'is wrong', prepare: signInWrongly },
  { name: 'register', path: '/account/register', shows: 'Ask for the account' },
  { name: 'forgotten-password', path: '/account/reset', shows: 'Send the link' },
  { name: 'confirm-email', path: '/account/email#c2VjcmV0', shows: 'Confirm' },
  { name: 'home', path: '/', as: TOM, shows: 'older entries' },
  { name: 'home-empty', path: '/', as: OLGA, shows: 'Nothing open is assigned to you.' },
  { name: 'inbox', path: '/inbox', as: TOM, within: '#main', shows: 'Label printer' },
  { name: 'my-work', path: '/my-work', as: TOM, within: '#main', shows: 'Pump at the north gate' },
  { name: 'search', path: '/search?q=pump', as: TOM, within: '#main', shows: 'Pump at the north gate' },
  { name: 'search-files', path: '/search?q=ramp&kind=files', as: TOM, within: '#main', shows: 'ramp.png' },
  { name: 'search-start', path: '/search', as: TOM, within: '#main', shows: 'half a word is enough' },
  { name: 'search-none', path: '/search?q=unicorn&status=open', as: TOM, within: '#main', shows: 'with these filters' },
  {
    name: 'search-peek',
    path: '/search?q=pump',
    as: TOM,
    shows: 'can you look at this',
    prepare: async (page, say) => {
      await page.getByRole('link', { name: 'Pump at the north gate' }).focus()
      await page.keyboard.press('Space')
      await page.locator('[data-peek]').getByText(say('Comment…')).waitFor()
    },
  },
  {
    name: 'report',
    path: '/report?show=all&order=title',
    as: TOM,
    within: '#main',
    shows: 'Ladder count differs',
  },
  { name: 'help', path: '/help/search', as: TOM, within: '#main', shows: 'The palette' },
  { name: 'help-keys', path: '/help/keys', as: TOM, within: '#main', shows: 'Show this list' },
  { name: 'help-workflow', path: '/help/workflow', as: TOM, within: '#main', shows: 'workflow' },
  { name: 'help-queries', path: '/help/queries', as: TOM, within: '#main', shows: 'MYSELF()' },
  ...SCREENS_OF_PROJECTS,
  {
    name: 'table',
    path: ({ harvest }) => `/trackers/${harvest}`,
    as: TOM,
    except: '[role="row"]:nth-child(n + 8)',
    shows: 'Gravenstein, row 291',
  },
  {
    name: 'table-groups',
    path: ({ harvest }) => `/trackers/${harvest}?group=state`,
    as: TOM,
    within: '[role="grid"]',
    except: '[role="row"]:nth-child(n + 8)',
    shows: 'Gravenstein, row 291',
  },
  {
    name: 'table-past',
    path: ({ timeline }) => `/trackers/${timeline.tracker.id}?at=${fewDaysAgo()}`,
    as: TOM,
    shows: '10 rows then',
  },
  {
    name: 'table-peek',
    path: ({ deliveries }) => `/trackers/${deliveries.tracker.id}?peek=${deliveries.id}`,
    as: MARA,
    within: '#main',
    shows: 'created this',
  },
  {
    name: 'table-query-refused',
    path: ({ harvest }) =>
      `/trackers/${harvest}?q=${encodeURIComponent('state = "Open" AND colour = "red" ORDER BY ripe')}`,
    as: TOM,
    shows: 'colour',
  },
  {
    name: 'table-empty',
    path: ({ harvest }) => `/trackers/${harvest}?q=${encodeURIComponent('crates > 9000')}`,
    as: TOM,
    within: '#main',
    shows: 'No matches',
  },
  {
    name: 'table-cell',
    path: fewRows,
    as: TOM,
    within: '[role="grid"]',
    shows: 'Cancel',
    prepare: async (page) => {
      await page.getByRole('grid').focus()
      for (const key of ['ArrowDown', 'ArrowRight', 'e']) await page.keyboard.press(key)
    },
  },
  {
    name: 'table-picker',
    path: fewRows,
    as: TOM,
    within: DIALOG,
    shows: 'Picking',
    prepare: async (page) => {
      await page.getByText(/^11 (rows|Zeilen)/).waitFor()
      await page.getByRole('grid').focus()
      for (const key of ['ArrowDown', 's']) await page.keyboard.press(key)
    },
  },
  {
    name: 'table-bulk',
    path: fewRows,
    as: TOM,
    within: DIALOG,
    shows: 'cannot be changed',
    prepare: async (page, say) => {
      await page.getByText(/^11 (rows|Zeilen)/).waitFor()
      await page.getByRole('grid').focus()
      await page.keyboard.press('Control+a')
      await page.getByRole('button', { name: say('Edit chosen…') }).click()
      await page.getByLabel(say('Field')).selectOption('State')
      await page.getByLabel('State', { exact: true }).selectOption('Done')
      await page
        .getByRole('button', { name: say('Preview') })
        .last()
        .click()
    },
  },
  { name: 'board', path: ({ crates }) => `/trackers/${crates.tracker.id}/board`, as: TOM, shows: 'Walnuts' },
  {
    name: 'board-held',
    path: ({ crates }) => `/trackers/${crates.tracker.id}/board?lanes=size`,
    as: TOM,
    shows: 'Allowed for: leads.',
    prepare: pickUp,
  },
  {
    name: 'board-move',
    path: ({ crates }) => `/trackers/${crates.tracker.id}/board`,
    as: TOM,
    shows: 'Allowed for: leads.',
    prepare: (page) => page.getByRole('button', { name: /crate/ }).nth(4).click(),
  },
  {
    name: 'board-limit',
    path: ({ crates }) => `/trackers/${crates.tracker.id}/board`,
    as: MARA,
    within: DIALOG,
    shows: 'The most cards that the column should hold',
    prepare: press('Limit of Packing'),
  },
  {
    name: 'board-add',
    path: ({ crates }) => `/trackers/${crates.tracker.id}/board?q=${encodeURIComponent('ORDER BY @rank')}`,
    as: TOM,
    within: '#main',
    shows: 'Enter adds the card',
    prepare: (page) => page.getByRole('button', { name: /crate .*Packing/ }).click(),
  },
  {
    name: 'charts',
    path: ({ crates }) => `/trackers/${crates.tracker.id}/charts`,
    as: TOM,
    shows: 'At the end of',
    prepare: async (page, say) => {
      await page.locator('canvas').first().waitFor()
      await page.getByText(say('Show the numbers')).first().click()
    },
  },
  ...SCREENS_OF_NEW_TRACKER,
  ...SCREENS_OF_TRACKER_ADMINISTRATION,
  { name: 'access-keys', path: '/account/keys-tokens', as: TOM, shows: 'nightly import' },
  {
    name: 'new-access-key',
    path: '/account/keys-tokens',
    as: TOM,
    shows: 'Permissions',
    prepare: press('Generate a key'),
  },
  {
    name: 'delete-access-key',
    path: '/account/keys-tokens',
    as: TOM,
    shows: 'cannot be undone',
    prepare: press('Delete nightly import'),
  },
  { name: 'security', path: '/account/security', as: TOM, shows: 'this one' },
  { name: 'notifications', path: '/account/notifications', as: TOM, shows: 'Mail frequency' },
  { name: 'profile', path: '/account/profile', as: TOM, shows: 'Time zone' },
  { name: 'appearance', path: '/account/appearance', as: TOM, shows: 'Density' },
  {
    name: 'palette',
    path: '/projects',
    as: TOM,
    shows: 'Go to: Home',
    prepare: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'palette-results',
    path: ({ crates }) => `/trackers/${crates.tracker.id}`,
    as: TOM,
    within: DIALOG,
    shows: 'Pump at the north gate',
    prepare: async (page) => {
      await page.getByRole('grid').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('north gate')
    },
  },
  {
    name: 'shortcuts',
    path: '/projects',
    as: TOM,
    shows: 'Show this list',
    prepare: (page) => page.keyboard.press('?'),
  },
  { name: 'artifact', path: ({ deliveries }) => `/artifacts/${deliveries.id}`, as: MARA, shows: 'created this' },
  {
    name: 'artifact-past',
    path: ({ deliveries }) => `/artifacts/${deliveries.id}?version=1`,
    as: MARA,
    shows: 'different today',
  },
  {
    name: 'artifact-add',
    path: ({ deliveries }) => `/artifacts/${deliveries.id}`,
    as: MARA,
    within: 'aside',
    shows: 'Effort in hours',
    prepare: press('Add…'),
  },
  {
    name: 'artifact-actions',
    path: ({ deliveries }) => `/artifacts/${deliveries.id}`,
    as: MARA,
    within: DIALOG,
    shows: 'Add sub-item',
    prepare: press('More actions'),
  },
  {
    name: 'artifact-move',
    path: ({ deliveries }) => `/artifacts/${deliveries.id}`,
    as: MARA,
    within: DIALOG,
    shows: 'Will be kept',
    prepare: async (page, say) => {
      await pressArtifactAction(page, 'Move…', say)
      await page.getByLabel(say('To tracker')).selectOption('Crates')
    },
  },
  {
    name: 'artifact-editing',
    path: ({ deliveries }) => `/artifacts/${deliveries.id}`,
    as: MARA,
    within: '#main',
    shows: 'takes a number',
    prepare: editWrongly,
  },
  {
    name: 'artifact-conflict',
    path: ({ deliveries }) => `/artifacts/${deliveries.id}`,
    as: MARA,
    within: DIALOG,
    shows: 'Version conflict',
    prepare: beSlower,
  },
  {
    name: 'new-artifact',
    path: ({ deliveries }) => `/trackers/${deliveries.tracker.id}/new`,
    as: TOM,
    within: '#main',
    shows: 'Similar artifacts',
    prepare: begin,
  },
  ...SCREENS_OF_REPOSITORIES,
  ...SCREENS_OF_ADMINISTRATION,
  { name: 'not-found', path: '/account/nothing', as: TOM, shows: 'There is no such page' },
]

async function signInWrongly(page: Page, say: Say): Promise<void> {
  await page.getByLabel(say('Login or e-mail address')).fill('nobody')
  await page.getByLabel(say('Password')).fill('a wrong password')
  await page.keyboard.press('Enter')
}

/** Edits two fields, one of them with an invalid value. */
async function editWrongly(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('Edit Due') }).click()
  await page.getByRole('button', { name: say('Edit Points') }).click()
  await page.getByRole('textbox', { name: 'Points' }).fill('nine')
  await page.keyboard.press('Enter')
}

/** Causes a version conflict: another person writes the same field. */
async function beSlower(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('Edit Details') }).click()
  await page.evaluate(`fetch('/api' + location.pathname, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ values_by_field: { details: 'Pick up at **noon**, see art #1.' } }),
  })`)
  await page.getByRole('textbox', { name: 'Details' }).fill('Pick up **before five**.')
  await page.keyboard.press('Control+Enter')
}

/** Picks up a card by keyboard, in a state with two transitions. */
async function pickUp(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Plums' }).focus()
  await page.keyboard.press('h')
  await page.keyboard.press('ArrowLeft')
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Summary' }).fill('Wash the crates once more')
  await page.getByRole('button', { name: /11/ }).click()
}
