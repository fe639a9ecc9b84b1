import { SAME_ORIGIN_HEADERS } from '../../harness/browser-requests.ts'
import { ONE_PIXEL } from '../../fixtures/one-pixel.ts'
import { ADA, GUS, MARA, OLGA, PASSWORD, type TestPerson, TOM, UMA, VICTOR } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { anyText } from './hostile-values.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE, anyone, emailOf, type Recipe, some, type Wish } from './recipe.ts'

const NAMES: readonly [string, ...string[]] = [
  'Nora Newcomer',
  'Ñandú Ćevap',
  '李小龍',
  "O'Brien; --",
  '<b>Bold</b> & Co',
  '=1+1',
]
/** Seeded by `fuzz-world.ts`. */
export const FUZZED_PROVIDER = 'fuzzed'
const ZONES: readonly [string, ...string[]] = ['Europe/Vienna', 'UTC', 'America/St_Johns']

const newPassword = (known: Knowledge) => known.fresh('a long and new password ')
const self = (person: TestPerson, random: RepeatableRandom) => random.pick([String(person.id), 'self', 'me'])

/** An account that may be deleted; when none is left, Tom as a dry run. */
function spare(known: Knowledge): { person: TestPerson; dryRun: boolean } {
  const person = known.spares.shift()
  return person ? { person, dryRun: false } : { person: TOM, dryRun: true }
}

function byLink(known: Knowledge, kind: keyof Knowledge['links'], wish: Wish): Wish {
  const [token = 'c'.repeat(43), next] = known.links[kind]
  if (next !== undefined) known.links[kind].shift() // The last one is used for dry runs only, so that it remains.
  return { ...wish, params: { token }, ...(next === undefined && { dryRun: true }) }
}

const readLink =
  (kind: keyof Knowledge['links']): Recipe =>
  (known, random) => ({ params: { token: random.pickAny(known.links[kind]) ?? 'c'.repeat(43) } })

function ownAccount(random: RepeatableRandom): Wish {
  const as = random.pick(ACTIVE)
  return { as, params: { id: self(as, random) } }
}

const newAccount = (known: Knowledge, random: RepeatableRandom) => ({
  username: known.fresh('newcomer'),
  real_name: random.pick(NAMES),
  password: newPassword(known),
})

export const RECIPES_OF_ACCOUNTS: Readonly<Record<string, Recipe>> = {
  searchUsers(_known, random) {
    const as = random.pick(ACTIVE)
    const query = random.pick(['tom', 'ada,mara', 'keller', 'spare', '{"username":"tom"}', `{"email":"${as.email}"}`])
    return { as, query: { query } }
  },
  createUser(known, random) {
    const username = known.fresh('made')
    const choices = {
      password: newPassword(known),
      time_zone: random.pick(ZONES),
      language: 'en',
      text_format: random.pick(['text', 'html', 'commonmark']),
      is_site_admin: false,
      status: 'A',
    }
    return {
      as: ADA,
      body: { username, real_name: random.pick(NAMES), email: emailOf(username), ...some(random, choices) },
    }
  },
  getUser(known, random) {
    const ids = [TOM, MARA, UMA, OLGA, GUS, ...known.spares].map(({ id }) => String(id))
    return { as: anyone(random), params: { id: random.pickAny(ids) ?? TOM.id } }
  },
  updateUser(known, random) {
    const own = { real_name: random.pick(NAMES), time_zone: random.pick(ZONES), text_format: 'html', language: null }
    const values = some(random, own, 0.5)
    const person = random.pick([TOM, UMA, OLGA])
    if (random.chance(0.5))
      return { as: person, params: { id: self(person, random) }, body: random.chance(0.5) ? { values } : values }
    const other = random.pickAny(known.spares) ?? OLGA
    const name = known.fresh('renamed')
    const given = { username: name, email: emailOf(name), password_reset: true, is_site_admin: random.chance(0.5) }
    return { as: ADA, params: { id: other.id }, body: { values: { ...values, ...some(random, given, 0.2) } } }
  },
  eraseUser(known) {
    const { person, dryRun } = spare(known)
    return { as: ADA, params: { id: person.id }, body: { confirm: person.login }, dryRun }
  },
  setAvatar: (_known, random) => ({ ...ownAccount(random), body: { content: ONE_PIXEL } }),
  deleteAvatar: (_known, random) => ownAccount(random),
  getPreference: (_known, random) => ({
    ...ownAccount(random),
    query: { key: random.pick(['theme', 'nothing', 'ä'.repeat(9)]) },
  }),
  setPreference: (_known, random) => ({
    ...ownAccount(random),
    body: { key: random.pick(['theme', 'columns', '…']), value: random.pick(['dark', '', '{"a":[1]}', '<&>']) },
  }),
  removePreference: (_known, random) => ({ ...ownAccount(random), query: { key: random.pick(['theme', 'columns']) } }),
  listAccessKeys: (_known, random) => ownAccount(random),
  createAccessKey(_known, random) {
    const choices = {
      description: random.pick(['backup', '', '<script>', 'x'.repeat(255)]),
      expiration_date: random.pick([null, '2099-01-01T00:00:00Z', '2098-12-31T23:00:00+05:30']),
      scopes: random.pick([['write:rest'], ['read:rest', 'write:account']]),
    }
    return { as: random.pick(ACTIVE), ...(random.chance(0.8) && { body: some(random, choices, 0.5) }) }
  },
  getAccessKey(_known, random) {
    const as = random.pick(ACTIVE)
    return { as, byKey: true, params: { id: random.pick([String(as.key_id), 'self']) } }
  },
  deleteAccessKey(known) {
    const made = known.keys.shift()
    if (made) return { as: made.person, params: { id: made.id } }
    const { person, dryRun } = spare(known)
    return { as: person, byKey: true, params: { id: person.key_id }, dryRun }
  },
  createToken(_known, random) {
    const reader = random.pick(ACTIVE)
    return { reader, body: { username: reader.login, password: PASSWORD } }
  },
  deleteTokens: (known, random) => ({ as: random.pickAny(known.spares) ?? OLGA }),
  deleteToken(known) {
    const { token, person } = known.tokens.shift() ?? { token: '0'.repeat(32), person: TOM }
    return { as: person, byKey: true, params: { token } }
  },
  createSession(_known, random) {
    const reader = random.pick(ACTIVE)
    const username = random.chance(0.3) ? reader.email : reader.login
    return { reader, body: { username, password: PASSWORD }, headers: random.chance(0.7) ? SAME_ORIGIN_HEADERS : {} }
  },
  confirmSession: (known, random) => ({ session: random.pickAny(known.sessions), body: { password: PASSWORD } }),
  getSession: (known, random) => ({ session: random.pickAny(known.sessions) }),
  deleteSession: (known) => ({
    session: known.sessions.length > 1 ? known.sessions.shift() : known.sessions[0],
    dryRun: known.sessions.length < 2,
  }),
  listSessions: (_known, random) => ({ as: random.pick(ACTIVE) }),
  endOtherSessions: (known, random) => ({ as: random.pickAny(known.spares) ?? OLGA }),
  endSession(known) {
    const isLast = known.sessions.length < 2
    const session = isLast ? known.sessions[0] : known.sessions.shift()
    return { as: session?.person ?? TOM, byKey: true, params: { id: session?.id ?? '0'.repeat(16) }, dryRun: isLast }
  },
  changePassword(known, random) {
    const { person, dryRun } = spare(known)
    const body = { current_password: PASSWORD, new_password: newPassword(known) }
    return random.chance(0.2)
      ? { body: { ...body, username: person.login }, dryRun }
      : { as: person, byKey: true, body, dryRun }
  },
  requestExport: (known, random) => ({ as: random.pickAny(known.spares) ?? OLGA }),
  getExport: (_known, random) => ({ as: random.pick(ACTIVE) }),
  getExportContent: (_known, random) => ({ as: random.pick(ACTIVE) }),
  requestPasswordReset(known, random) {
    const person = random.pickAny(known.spares) ?? OLGA
    return { body: { login: random.pick([person.login, person.email, 'nobody-at-all']) } }
  },
  getPasswordReset: readLink('password_reset'),
  resetPassword: (known) => byLink(known, 'password_reset', { body: { new_password: newPassword(known) } }),
  resendVerification: (known, random) => ({ as: random.pickAny(known.pending) }),
  verifyEmail: (known) => byLink(known, 'email_verification', {}),
  createInvitations(known, random) {
    const emails = Array.from({ length: random.integer(1, 4) }, () => emailOf(known.fresh('guest')))
    const choices = { custom_message: random.chance(0.5) ? 'Come and see.' : plain(anyText(random)).slice(0, 500) }
    const as = random.pick([MARA, ADA])
    const project = as === MARA || random.chance(0.4) ? { project_id: ORCHARD } : {}
    const known_people = random.chance(0.3) ? [TOM.email, VICTOR.email, 'no address'] : []
    return { as, body: { emails: [...emails, ...known_people], ...project, ...some(random, choices) } }
  },
  getInvitation: readLink('invitation'),
  // Dry runs only, because other recipes accept these invitations.
  revokeInvitation: (known) => ({
    as: ADA,
    params: { token: known.ids.get('invitations')?.at(-1) ?? '1' },
    dryRun: true,
  }),
  createInvitationLink: (known) => ({
    as: ADA,
    params: { token: known.ids.get('invitations')?.at(-1) ?? '1' },
    dryRun: true,
  }),
  acceptInvitation: (known, random) => byLink(known, 'invitation', { body: newAccount(known, random) }),
  getRegistration: () => ({}),
  getSignInOptions: () => ({}),
  listIdentityProviders: () => ({ as: ADA }),
  createIdentityProvider: (known, random) => ({
    as: ADA,
    body: {
      name: known
        .fresh('company')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '')
        .slice(0, 40),
      label: random.pick(NAMES),
      // The name never resolves: no request leaves this machine.
      issuer: 'https://login.fuzz.test',
      client_id: 'waypost',
      client_secret: 'a secret of the client',
      ...some(random, { match_by: 'email', email_domains: ['fuzz.test'], new_accounts: 'always', is_enabled: false }),
    },
  }),
  getIdentityProvider: () => ({ as: ADA, params: { name: FUZZED_PROVIDER } }),
  updateIdentityProvider: (_known, random) => ({
    as: ADA,
    params: { name: FUZZED_PROVIDER },
    body: some(random, { label: random.pick(NAMES), is_enabled: false, client_secret: null }),
    dryRun: true,
  }),
  deleteIdentityProvider: () => ({ as: ADA, params: { name: FUZZED_PROVIDER }, dryRun: true }),
  testIdentityProvider: () => ({ as: ADA, params: { name: FUZZED_PROVIDER } }),
  listDirectories: () => ({ as: ADA }),
  createDirectory: (known, random) => ({
    as: ADA,
    body: {
      name: known
        .fresh('company')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '')
        .slice(0, 40),
      label: random.pick(NAMES),
      urls: ['ldaps://ldap.fuzz.test'],
      people_base: 'ou=people,dc=fuzz',
      ...some(random, { match_by: 'email', people_filter: '(objectClass=*)', max_group_depth: 3, is_enabled: false }),
    },
    dryRun: true,
  }),
  getDirectory: () => ({ as: ADA, params: { name: FUZZED_PROVIDER } }),
  updateDirectory: (_known, random) => ({
    as: ADA,
    params: { name: FUZZED_PROVIDER },
    body: some(random, { label: random.pick(NAMES), is_enabled: false, people_filter: '(uid=*)' }),
    dryRun: true,
  }),
  deleteDirectory: () => ({ as: ADA, params: { name: FUZZED_PROVIDER }, dryRun: true }),
  testDirectory: () => ({ as: ADA, params: { name: FUZZED_PROVIDER } }),
  endSessionsByProvider: (_known, random) => ({
    params: { name: FUZZED_PROVIDER },
    body: { logout_token: random.pick(['a.b.c', 'eyJhbGciOiJub25lIn0.e30.']) },
  }),
  registerAccount(known, random) {
    const account = newAccount(known, random)
    return { body: { ...account, email: emailOf(account.username) } }
  },
}

/** Within the limits of API texts. */
function plain(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().slice(0, 2000)
}
