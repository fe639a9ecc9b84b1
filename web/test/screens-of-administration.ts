import { ADA, TOM } from '../../server/test/fixtures/people.ts'
import type { Screen } from './screen.ts'

const AT = '/administration'

export const SCREENS_OF_ADMINISTRATION: readonly Screen[] = [
  { name: 'administration', path: AT, as: ADA, shows: 'Failed jobs' },
  { name: 'administration-denied', path: `${AT}/jobs`, as: TOM, shows: 'you are not a site administrator' },
  { name: 'users', path: `${AT}/users?q=tom`, as: ADA, shows: 'Tom Tiller' },
  { name: 'user', path: `${AT}/users/${TOM.id}`, as: ADA, shows: 'Project members' },
  { name: 'administered-projects', path: `${AT}/projects`, as: ADA, shows: 'Orchard' },
  { name: 'link-types', path: `${AT}/link-types`, as: ADA, shows: 'Child / Parent' },
  { name: 'identity-providers', path: `${AT}/sign-in`, as: ADA, shows: 'Company account' },
  { name: 'directories', path: `${AT}/directories`, as: ADA, shows: 'Company directory' },
  { name: 'jobs', path: `${AT}/jobs`, as: ADA, shows: 'store not reachable' },
  { name: 'trash', path: `${AT}/trash`, as: ADA, shows: 'Bees on strike' },
  { name: 'archives', path: `${AT}/archives`, as: ADA, shows: 'Deleted by' },
  { name: 'audit', path: `${AT}/audit?action=settings.*`, as: ADA, shows: 'Changes' },
  { name: 'site-settings', path: `${AT}/settings`, as: ADA, shows: 'Deletion limit' },
  { name: 'invitation-over', path: '/account/invitation#c2VjcmV0', shows: 'Ask the person who invited you' },
]
