import { TOM } from './people.ts'
import { BUG_STATUS, BUGS, ORCHARD } from './places.ts'
import {
  EVERYONE,
  frozen,
  PROJECT_ADMIN,
  type Row,
  SELF,
  SELF_OR_SITE_ADMIN,
  SIGNED_IN,
  SITE_ADMIN,
  TRACKER_ADMIN,
  UNRESTRICTED,
} from './right.ts'
import { RIGHTS_ON_ARTIFACTS } from './rights-on-artifacts.ts'
import { RIGHTS_ON_FILES } from './rights-on-files.ts'
import { RIGHTS_ON_REPOSITORIES } from './rights-on-repositories.ts'
import { RIGHTS_ON_WEBHOOKS } from './rights-on-webhooks.ts'
import { RIGHTS_ON_NOTIFICATIONS } from './rights-on-notifications.ts'
import {
  ANY_USER,
  FIELD,
  GROUP,
  LOST_TRACKER,
  NOTHING,
  OWN_KEY,
  PROJECT,
  REPORT,
  SERVICE,
  TRACKER,
  TRANSITION,
  UNKNOWN_SECRET,
  UNUSED_FIELD,
  USER,
} from './subjects.ts'

const NEW_TRACKER = {
  label: 'Harvests',
  item_name: 'harvest',
  elements: [{ name: 'title', type: 'string', label: 'Title' }],
}

/** The table of rights: one row for every route, by its operation. A route without a row fails the build. */
export const RIGHTS: Record<string, Row> = {
  // accounts: users
  searchUsers: { subject: NOTHING, right: SIGNED_IN, query: 'query=tom' },
  createUser: {
    subject: NOTHING,
    right: SITE_ADMIN,
    body: { username: 'newcomer', real_name: 'New Comer', email: 'newcomer@waypost.example', invite: true },
  },
  getUser: { subject: USER, right: EVERYONE },
  updateUser: { subject: USER, right: SELF_OR_SITE_ADMIN, body: { real_name: 'Tom T. Tiller' } },
  eraseUser: {
    subject: ANY_USER,
    right: SITE_ADMIN,
    body: { confirm: TOM.login },
    otherwise: (principal, state) => (principal === 'P8' && state === 'T2' ? 400 : undefined), // another login
  },
  getPreference: { subject: USER, right: SELF, query: 'key=theme' },
  setPreference: { subject: USER, right: SELF, body: { key: 'theme', value: 'dark' } },
  removePreference: { subject: USER, right: SELF, query: 'key=theme' },
  requestExport: { subject: NOTHING, right: SIGNED_IN },
  getExport: { subject: NOTHING, right: SIGNED_IN, otherwise: () => 404 }, // Nobody has asked for one.
  getExportContent: { subject: NOTHING, right: SIGNED_IN, otherwise: () => 404 },
  listMembership: { subject: USER, right: SELF_OR_SITE_ADMIN },

  // accounts: credentials
  listAccessKeys: { subject: USER, right: SELF },
  createAccessKey: { subject: NOTHING, right: SIGNED_IN, body: { description: 'matrix' } },
  getAccessKey: { subject: OWN_KEY, right: SIGNED_IN },
  deleteAccessKey: { subject: OWN_KEY, right: SIGNED_IN },
  createToken: {
    subject: NOTHING,
    right: EVERYONE,
    body: { username: 'tom', password: 'wrong' },
    otherwise: () => 401,
    needsMore: 'the right password',
    counts: true,
  },
  deleteTokens: { subject: NOTHING, right: SIGNED_IN },
  deleteToken: { subject: UNKNOWN_SECRET('token', 400), right: SIGNED_IN, needsMore: 'a token' },
  createSession: {
    subject: NOTHING,
    right: EVERYONE,
    body: { username: 'tom', password: 'wrong' },
    otherwise: () => 401,
    needsMore: 'the right password',
    counts: true,
  },
  getSession: { subject: NOTHING, right: EVERYONE, otherwise: (principal) => (principal === 'P1' ? 401 : 404) },
  deleteSession: {
    subject: NOTHING,
    right: EVERYONE,
    otherwise: (principal) => (principal === 'P1' ? 401 : 404),
    needsMore: 'a session',
  },
  listSessions: { subject: NOTHING, right: SIGNED_IN },
  endSession: { subject: UNKNOWN_SECRET('id', 404), right: SIGNED_IN, needsMore: 'a session' },
  endOtherSessions: { subject: NOTHING, right: SIGNED_IN },
  changePassword: {
    subject: NOTHING,
    right: SIGNED_IN,
    body: { current_password: 'wrong', new_password: 'a long and new password' },
    otherwise: (principal) => (principal === 'P1' ? 401 : 403),
    needsMore: 'the right password',
    counts: true,
  },
  requestPasswordReset: { subject: NOTHING, right: EVERYONE, body: { login: 'tom' } },
  getPasswordReset: { subject: UNKNOWN_SECRET('token', 404), right: EVERYONE },
  resetPassword: {
    subject: UNKNOWN_SECRET('token', 404),
    right: EVERYONE,
    body: { new_password: 'a long and new password' },
    needsMore: 'a mailed link',
  },
  resendVerification: { subject: NOTHING, right: SIGNED_IN, otherwise: () => 404, needsMore: 'a new address' }, // None waits.
  verifyEmail: { subject: UNKNOWN_SECRET('token', 404), right: EVERYONE, needsMore: 'a mailed link' },
  createInvitations: { subject: NOTHING, right: UNRESTRICTED, body: { emails: ['guest@waypost.example'] } },
  getInvitation: { subject: UNKNOWN_SECRET('token', 404), right: EVERYONE },
  acceptInvitation: {
    subject: UNKNOWN_SECRET('token', 404),
    right: EVERYONE,
    body: { username: 'newcomer', real_name: 'New Comer', password: 'a long and new password' },
    needsMore: 'a mailed link',
  },
  registerAccount: {
    subject: NOTHING,
    right: EVERYONE,
    body: {
      username: 'newcomer',
      real_name: 'New Comer',
      email: 'newcomer@waypost.example',
      password: 'a long and new password',
    },
    otherwise: () => 404, // Registration is closed.
    needsMore: 'an open platform',
  },

  // projects
  listProjects: { subject: NOTHING, right: EVERYONE },
  createProject: {
    subject: NOTHING,
    right: UNRESTRICTED,
    body: { shortname: 'meadow', label: 'Meadow', is_public: true, template_id: 100 },
  },
  getProject: { subject: PROJECT, right: EVERYONE },
  changeProjectStatus: {
    subject: PROJECT,
    right: SITE_ADMIN,
    body: { status: 'suspended' },
    otherwise: (principal, state) => (principal === 'P8' && state === 'T6' ? 403 : undefined), // A deleted one stays so.
  },
  listUserGroups: { subject: PROJECT, right: EVERYONE },
  listLabels: { subject: PROJECT, right: EVERYONE },
  listHeartbeats: { subject: PROJECT, right: EVERYONE },
  getBanner: {
    subject: PROJECT,
    right: EVERYONE,
    otherwise: (principal, state) => (state === 'T2' && principal === 'P8' ? 200 : 404),
  },
  setBanner: { subject: PROJECT, right: PROJECT_ADMIN, body: { message: 'Harvest on Monday' }, otherwise: frozen },
  deleteBanner: { subject: PROJECT, right: PROJECT_ADMIN, otherwise: frozen, needsMore: 'a banner' },
  listProjectServices: { subject: PROJECT, right: EVERYONE },
  switchProjectService: { subject: SERVICE, right: PROJECT_ADMIN, body: { is_enabled: false }, otherwise: frozen },
  extractReferences: { subject: PROJECT, right: EVERYONE, body: { text: 'see art #12' } },
  search: { subject: NOTHING, right: EVERYONE, body: { keywords: 'canary' } },
  listGitRepositories: { subject: PROJECT, right: EVERYONE },
  listMilestones: { subject: PROJECT, right: EVERYONE },
  listPlannings: { subject: PROJECT, right: EVERYONE },
  listBacklog: { subject: PROJECT, right: EVERYONE },
  listProjectAudit: { subject: PROJECT, right: PROJECT_ADMIN },
  createUserGroup: {
    subject: NOTHING,
    right: PROJECT_ADMIN,
    body: { project_id: ORCHARD, short_name: 'pickers' },
    otherwise: (principal) => (principal === 'P2' ? 400 : undefined),
  },
  getUserGroup: { subject: GROUP, right: EVERYONE },
  listGroupUsers: { subject: GROUP, right: PROJECT_ADMIN },
  replaceGroupUsers: {
    subject: GROUP,
    right: PROJECT_ADMIN,
    body: { user_references: [{ username: 'mara' }] },
    otherwise: frozen,
  },

  // trackers
  listTrackers: { subject: PROJECT, right: EVERYONE, query: 'representation=minimal' },
  getTracker: { subject: TRACKER, right: EVERYONE },
  updateTrackerWorkflow: {
    subject: TRACKER,
    right: TRACKER_ADMIN,
    body: { workflow: { set_transitions_rules: { is_used: true } } },
    otherwise: frozen,
  },
  updateTrackerField: { subject: FIELD, right: TRACKER_ADMIN, body: { description: 'Seen' }, otherwise: frozen },
  deleteTrackerField: {
    subject: UNUSED_FIELD,
    right: TRACKER_ADMIN,
    // Those of the other trackers are their titles.
    otherwise: (principal, state) =>
      (state === 'T2' || state === 'T3' || state === 'T8') && TRACKER_ADMIN(principal, state) ? 400 : undefined,
  },
  createTransition: {
    subject: NOTHING,
    right: TRACKER_ADMIN,
    body: { tracker_id: BUGS, from_id: 0, to_id: BUG_STATUS.fixed },
    otherwise: (principal, state) => {
      if (principal === 'P2') return 404
      // It is always the same tracker, whatever the state is called.
      return state === 'T3' && (principal === 'P4' || principal === 'P6') ? 200 : undefined
    },
  },
  getTransition: { subject: TRANSITION, right: TRACKER_ADMIN },
  updateTransition: {
    subject: TRANSITION,
    right: TRACKER_ADMIN,
    body: { authorized_user_group_ids: ['2'] },
    otherwise: frozen,
  },
  deleteTransition: { subject: TRANSITION, right: TRACKER_ADMIN, otherwise: frozen },
  getTransitionActions: { subject: TRANSITION, right: TRACKER_ADMIN },
  setTransitionActions: {
    subject: TRANSITION,
    right: TRACKER_ADMIN,
    body: { post_actions: [{ type: 'run_job', job_url: 'https://ci.waypost.example/job/release' }] },
    otherwise: frozen,
  },

  listReports: { subject: TRACKER, right: EVERYONE },
  createReport: {
    subject: TRACKER,
    right: SIGNED_IN,
    body: { label: 'Mine' },
    otherwise: frozen,
    needsMore: 'a public one, which is only for who administers the tracker',
  },
  getReport: { subject: REPORT, right: EVERYONE, query: 'representation=full' },
  updateReport: { subject: REPORT, right: TRACKER_ADMIN, body: { label: 'Seen' }, otherwise: frozen },
  deleteReport: { subject: REPORT, right: TRACKER_ADMIN, otherwise: frozen },

  createTracker: { subject: PROJECT, right: PROJECT_ADMIN, body: NEW_TRACKER, otherwise: frozen },
  planTracker: { subject: PROJECT, right: PROJECT_ADMIN, body: NEW_TRACKER, otherwise: frozen },
  getTrackerDefinition: { subject: TRACKER, right: TRACKER_ADMIN },
  putTrackerDefinition: {
    subject: TRACKER,
    right: TRACKER_ADMIN,
    body: { label: 'Broken things', item_name: 'bug' },
    otherwise: frozen,
  },
  deleteTracker: { subject: TRACKER, right: PROJECT_ADMIN, otherwise: frozen },
  restoreTracker: { subject: LOST_TRACKER, right: PROJECT_ADMIN },

  ...RIGHTS_ON_ARTIFACTS,
  ...RIGHTS_ON_FILES,
  ...RIGHTS_ON_REPOSITORIES,
  ...RIGHTS_ON_WEBHOOKS,
  ...RIGHTS_ON_NOTIFICATIONS,

  // administration
  listEvents: { subject: NOTHING, right: EVERYONE, query: 'limit=10' },
  getSettings: { subject: NOTHING, right: SITE_ADMIN },
  updateSettings: { subject: NOTHING, right: SITE_ADMIN, body: { platform_name: 'Matrix' } },
  listAudit: { subject: NOTHING, right: SITE_ADMIN },
  listJobs: { subject: NOTHING, right: SITE_ADMIN },
  getJob: { subject: { ...UNKNOWN_SECRET('id', 404), params: () => ({ id: 'fffff' }) }, right: SITE_ADMIN },
  retryJob: {
    subject: { ...UNKNOWN_SECRET('id', 404), params: () => ({ id: 'fffff' }) },
    right: SITE_ADMIN,
    needsMore: 'a parked job',
  },
  giveUpJob: {
    subject: { ...UNKNOWN_SECRET('id', 404), params: () => ({ id: 'fffff' }) },
    right: SITE_ADMIN,
    needsMore: 'a parked job',
  },
  getVersion: { subject: NOTHING, right: EVERYONE },
}
