import type { Page } from 'playwright-core'
import { MARA, OLGA, RITA, TOM } from '../../server/test/fixtures/people.ts'
import { BUGS } from '../../server/test/fixtures/seed-ids.ts'
import type { Say } from './say.ts'
import type { Screen } from './screen.ts'

const SETTINGS = '/projects/orchard/settings'
const DASHBOARD = '/projects/orchard/dashboard'
const DIALOG = '[role="alertdialog"]'

export const SCREENS_OF_PROJECTS: readonly Screen[] = [
  { name: 'projects', path: '/projects', as: TOM, shows: 'Orchard' },
  { name: 'new-project', path: '/projects/new', as: OLGA, shows: 'Create the project' },
  { name: 'new-project-refused', path: '/projects/new', as: OLGA, shows: 'is in use', prepare: repeatShortName },
  { name: 'new-project-denied', path: '/projects/new', as: RITA, shows: 'You cannot create projects' },
  { name: 'project', path: '/projects/orchard', as: TOM, shows: 'of 4 closed' },
  { name: 'project-of-mine', path: '/projects/orchard', as: MARA, shows: 'Uma Under' },
  { name: 'project-absent', path: '/projects/vault', as: TOM, shows: 'There is no such project' },
  { name: 'dashboard', path: DASHBOARD, as: TOM, shows: 'Ladder count differs', prepare: untilDrawn },
  {
    name: 'dashboard-arranging',
    path: DASHBOARD,
    as: MARA,
    within: '#main',
    shows: 'Done',
    prepare: (page, say) => page.getByRole('button', { name: say('Arrange') }).click(),
  },
  {
    name: 'dashboard-add',
    path: DASHBOARD,
    as: MARA,
    within: '[role="dialog"]',
    shows: 'Count by',
    prepare: chooseReport,
  },
  { name: 'dashboard-own', path: '/dashboard', as: OLGA, shows: 'Nothing is pinned yet' },
  {
    name: 'dashboard-pin',
    path: `/trackers/${BUGS}`,
    as: MARA,
    within: '[role="dialog"]',
    shows: 'Show as',
    prepare: pinReport,
  },
  { name: 'project-settings', path: SETTINGS, as: MARA, shows: 'Subversion repositories' },
  { name: 'project-settings-denied', path: SETTINGS, as: TOM, shows: 'Only administrators of this project' },
  {
    name: 'project-deletion',
    path: SETTINGS,
    as: MARA,
    within: DIALOG,
    shows: 'These go to the trash',
    prepare: (page, say) => page.getByRole('button', { name: say('Delete Orchard…') }).click(),
  },
  { name: 'project-members', path: `${SETTINGS}/members`, as: MARA, shows: 'Uma Under' },
  {
    name: 'add-people',
    path: `${SETTINGS}/members`,
    as: MARA,
    within: '[role="dialog"]',
    shows: 'Olga Outside',
    prepare: pickOlga,
  },
  { name: 'project-trash', path: `${SETTINGS}/trash`, as: MARA, shows: 'Bees on strike' },
  { name: 'project-link-types', path: `${SETTINGS}/link-types`, as: MARA, shows: 'Child / Parent' },
  { name: 'project-webhooks', path: `${SETTINGS}/webhooks`, as: MARA, shows: 'No webhooks yet' },
  { name: 'project-audit', path: `${SETTINGS}/audit`, as: MARA, shows: 'Entries' },
  { name: 'project-groups', path: `${SETTINGS}/groups`, as: MARA, shows: 'Gus Groupie' },
]

async function untilDrawn(page: Page): Promise<void> {
  await page.locator('canvas').waitFor()
}

async function chooseReport(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('Add a widget') }).click()
  await page.getByLabel(say('Tracker'), { exact: true }).selectOption({ label: 'Bugs' })
  await page.getByLabel(say('Report'), { exact: true }).selectOption({ label: 'All bugs' })
}

async function pinReport(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('More'), exact: true }).click()
  await page.getByRole('button', { name: say('Pin to a dashboard…') }).click()
}

async function pickOlga(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('Add people') }).click()
  await page.getByRole('combobox').fill('olga')
  await page.getByRole('option', { name: 'Olga Outside' }).click()
  await page.getByRole('combobox').fill('tom')
  await page.getByRole('option', { name: 'Tom Tiller' }).waitFor()
}

async function repeatShortName(page: Page, say: Say): Promise<void> {
  await page
    .getByRole('textbox', { name: say('Name'), exact: true })
    .first()
    .fill('Orchard')
  await page.getByRole('button', { name: say('Create the project') }).click()
}
