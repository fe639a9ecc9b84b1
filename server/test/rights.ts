import { ADA, GUS, MARA, OLGA, type Person, PIA, RITA, SAM, TOM, UMA, VICTOR } from './people.ts'
import { KEEPERS, LEADS, MARSH, ORCHARD, ORCHARD_SVN, RUIN, VAULT, VAULT_SVN } from './places.ts'

/** Who asks. Every matrix of the product uses these nine. */
export const PRINCIPALS = {
  P1: undefined, // anonymous
  P2: RITA, // restricted, a member of another project only
  P3: OLGA, // active, a member of no group of the project
  P4: GUS, // in a static group of the project, not a member
  P5: TOM, // a plain member
  P6: UMA, // a member in a group with more rights
  P7: MARA, // administers the project
  P8: ADA, // site administrator, no member
  P9: SAM, // suspended, was a member
} as const satisfies Record<string, Person | undefined>

export type Principal = keyof typeof PRINCIPALS

/**
 * In which state the addressed thing is. Trackers, fields and artifacts do not exist yet, so T3 to T5 are as T1; their
 * cells are run all the same.
 */
export const STATES = {
  T1: 'readable',
  T2: 'unreadable by project',
  T3: 'unreadable by tracker',
  T4: 'unreadable by field',
  T5: 'unreadable by artifact restriction',
  T6: 'deleted',
  T7: 'absent',
  T8: 'project suspended',
} as const

export type State = keyof typeof STATES

/** What the path names, in each state, and who may see it there. */
interface Subject {
  params(state: State, principal: Principal): Record<string, string | number>
  sees(principal: Principal, state: State): boolean
}

const NOBODY = 999_999
const byState = <T>(state: State, ids: { T1: T; T2: T; T6: T; T7: T; T8: T }): T =>
  state === 'T2' || state === 'T6' || state === 'T7' || state === 'T8' ? ids[state] : ids.T1

const inProject = (ids: (state: State) => Record<string, string | number>): Subject => ({
  params: ids,
  sees(principal, state) {
    if (state === 'T7') return false
    if (principal === 'P8') return true
    return byState(state, { T1: principal !== 'P2', T2: false, T6: false, T7: false, T8: false })
  },
})

const PROJECT = inProject((state) => ({
  id: byState(state, { T1: ORCHARD, T2: VAULT, T6: RUIN, T7: NOBODY, T8: MARSH }),
}))
const GROUP = inProject((state) => ({
  id: byState(state, { T1: String(LEADS), T2: String(KEEPERS), T6: `${RUIN}_3`, T7: String(NOBODY), T8: `${MARSH}_3` }),
}))
const SERVICE: Subject = {
  params: (state) => ({ id: byState(state, { T1: ORCHARD_SVN, T2: VAULT_SVN, T6: NOBODY, T7: NOBODY, T8: NOBODY }) }),
  sees: (principal, state) => (state === 'T6' || state === 'T8' ? false : PROJECT.sees(principal, state)),
}
/** Tom is to be seen by all but restricted people who share nothing with him; Pia, who is no account yet, is not. */
const USER: Subject = {
  params: (state) => ({ id: byState(state, { T1: TOM.id, T2: PIA.id, T6: NOBODY, T7: NOBODY, T8: TOM.id }) }),
  sees(principal, state) {
    if (state === 'T6' || state === 'T7') return false
    if (state === 'T2') return principal === 'P8'
    return principal !== 'P2'
  },
}
/** Routes of site administration refuse all others before they look: what exists there is nobody's business. */
const ANY_USER: Subject = {
  params: (state, principal) => USER.params(state, principal),
  sees: (principal, state) => principal !== 'P8' || USER.sees(principal, state),
}
const NOTHING: Subject = { params: () => ({}), sees: () => true }
const OWN_KEY: Subject = {
  params: (state, principal) => ({
    id: byState(state, {
      T1: PRINCIPALS[principal]?.key_id ?? NOBODY,
      T2: VICTOR.key_id,
      T6: NOBODY,
      T7: NOBODY,
      T8: PRINCIPALS[principal]?.key_id ?? NOBODY,
    }),
  }),
  sees: (_, state) => !['T2', 'T6', 'T7'].includes(state),
}
/** A secret that nobody was given: the same for everybody. */
const UNKNOWN_SECRET = (param: string, status: 400 | 404): Subject & { unknown: number } => ({
  params: () => ({ [param]: 'c'.repeat(32) }),
  sees: () => true,
  unknown: status,
})

type Right = (principal: Principal, state: State) => boolean

const EVERYONE: Right = () => true
const SIGNED_IN: Right = (principal) => principal !== 'P1'
const PROJECT_ADMIN: Right = (principal) => principal === 'P7' || principal === 'P8'
const SITE_ADMIN: Right = (principal) => principal === 'P8'
const SELF: Right = (principal) => principal === 'P5' // The user of the path is Tom.
const SELF_OR_SITE_ADMIN: Right = (principal) => principal === 'P5' || principal === 'P8'
const UNRESTRICTED: Right = (principal) => principal !== 'P1' && principal !== 'P2'

export interface Row {
  subject: Subject & { unknown?: number }
  right: Right
  query?: string
  body?: unknown
  /** Where the answer is neither that of the route nor a refusal of rights: by design, whatever the caller may. */
  otherwise?: (principal: Principal, state: State) => number | undefined
  /** Who makes this write for real, where the test of the audit log does it; absent: Ada. */
  writer?: Person
  /** Gives a wrong password, which is counted: the matrix forgets the count. */
  counts?: true
  /** Why the test of the audit log cannot do it with this row alone; the route's own test does. */
  needsMore?: string
}

/** Writes below a suspended or deleted project are refused even to those who may see it. */
const frozen: Row['otherwise'] = (principal, state) =>
  (state === 'T6' || state === 'T8') && principal === 'P8' ? 400 : undefined

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

  // administration
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
