import type { Page } from 'playwright-core'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import type { Say } from './say.ts'
import type { Screen } from './screen.ts'

const GARDEN = '/projects/orchard/repositories/garden'
const press = (name: string) => (page: Page, say: Say) =>
  page
    .getByRole('button', { name: say(name) })
    .first()
    .click()

export const SCREENS_OF_REPOSITORIES: readonly Screen[] = [
  { name: 'repository', path: GARDEN, as: MARA, shows: 'branches' },
  { name: 'repository-folder', path: `${GARDEN}/tree/trunk/src`, as: TOM, shows: 'pump.ts' },
  { name: 'repository-file', path: `${GARDEN}/file/trunk/src/pump.ts#L8`, as: TOM, shows: 'bar' },
  { name: 'repository-blame', path: `${GARDEN}/blame/trunk/src/pump.ts?rev=3`, as: TOM, shows: 'uma' },
  { name: 'repository-log', path: `${GARDEN}/log`, as: TOM, shows: 'First harvest.' },
  {
    name: 'repository-revision',
    path: `${GARDEN}/revisions/3`,
    as: TOM,
    shows: 'is painted',
    prepare: (page) => page.getByText('is painted').scrollIntoViewIfNeeded(),
  },
  { name: 'repository-settings', path: `${GARDEN}/settings`, as: MARA, shows: 'builds@waypost.example' },
  {
    name: 'repository-mails',
    path: `${GARDEN}/settings`,
    as: MARA,
    shows: 'Their logins',
    prepare: press('Edit: mails for /trunk'),
  },
  { name: 'repository-absent', path: '/projects/orchard/repositories/none', as: TOM, shows: 'no such repository' },
  {
    name: 'new-repository',
    path: '/projects/orchard',
    as: MARA,
    shows: 'Create trunk',
    prepare: press('New repository'),
  },
]
