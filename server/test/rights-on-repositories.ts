import { ORCHARD } from './places.ts'
import { EVERYONE, frozen, PROJECT_ADMIN, type Row, SITE_ADMIN } from './right.ts'
import { BROWSED, LOST_REPOSITORY, NOTHING, PROJECT, REPOSITORY, REVISION } from './subjects.ts'

const SETTINGS = {
  commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: false },
  immutable_tags: { paths: ['/tags'], whitelist: [] },
  access_file: '[/secret]\n* =\n',
  email_notifications: [],
}

/** The rows of the table of rights for the routes on repositories. What Apache serves has tests of its own. */
export const RIGHTS_ON_REPOSITORIES: Record<string, Row> = {
  listRepositories: { subject: PROJECT, right: EVERYONE },
  createRepository: {
    subject: NOTHING,
    right: PROJECT_ADMIN,
    body: { project_id: ORCHARD, name: 'matrix' },
    otherwise: (principal) => (principal === 'P2' ? 400 : undefined),
  },
  getRepository: { subject: REPOSITORY, right: EVERYONE },
  listAccessFiles: { subject: REPOSITORY, right: PROJECT_ADMIN },
  listSvnTree: { subject: BROWSED, right: EVERYONE },
  getSvnFile: { subject: BROWSED, right: EVERYONE, query: 'path=/readme' },
  listSvnLog: { subject: BROWSED, right: EVERYONE },
  listSvnRevisions: { subject: REPOSITORY, right: EVERYONE },
  getSvnRevision: { subject: REVISION, right: EVERYONE },
  getSvnDiff: { subject: BROWSED, right: EVERYONE },
  getSvnBlame: { subject: BROWSED, right: EVERYONE, query: 'path=/readme' },
  updateRepository: { subject: REPOSITORY, right: PROJECT_ADMIN, body: { settings: SETTINGS }, otherwise: frozen },
  deleteRepository: { subject: REPOSITORY, right: PROJECT_ADMIN, otherwise: frozen },
  restoreRepository: { subject: LOST_REPOSITORY, right: SITE_ADMIN, needsMore: 'a worker' },
}
