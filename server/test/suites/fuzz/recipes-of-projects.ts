import { ADA, MARA, OLGA, type TestPerson, RITA, TOM, UMA, VICTOR } from '../../fixtures/people.ts'
import {
  BUGS,
  KEEPERS,
  LEADS,
  NURSERY,
  ORCHARD,
  ORCHARD_SVN,
  ORCHARD_TRACKERS,
  QUARRY,
  RUIN,
  SHADOWS,
  VAULT,
} from '../../fixtures/seed-ids.ts'
import type { Knowledge } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE, anyone, type Recipe, some, type Wish } from './recipe.ts'

/** A project, and a person who may read it. */
function readable(known: Knowledge, random: RepeatableRandom): Wish {
  const inside: readonly [Wish, ...Wish[]] = [
    { as: VICTOR, params: { id: VAULT } },
    { as: RITA, params: { id: QUARRY } },
  ]
  if (random.chance(0.15)) return random.pick(inside)
  const ids = [ORCHARD, NURSERY, ...known.projects.map(({ id }) => id)]
  return { as: anyone(random), params: { id: random.pickAny(ids) ?? ORCHARD } }
}

const read: Recipe = readable
const administrator = (random: RepeatableRandom): TestPerson => random.pick([MARA, MARA, ADA])

const TEXTS: readonly [string, ...string[]] = [
  'see art #12, and rev #3 in project:4',
  'ref #1 '.repeat(500),
  '#'.repeat(5000),
  'a'.repeat(20_000),
  'wiki #Home/Page & doc #10 <b>#11</b>',
  '',
]

const KEYWORDS: readonly [string, ...string[]] = [
  'pump leak',
  '"pump leaks" (.*) %_\\',
  'bug #14001',
  '14001',
  'Ünïcødé 船',
  'x '.repeat(100).trim(),
]

function references(random: RepeatableRandom, people: readonly TestPerson[]): readonly object[] {
  const chosen = people.filter(() => random.chance(0.7))
  switch (random.integer(0, 2)) {
    case 0:
      return chosen.map(({ id }) => ({ id }))
    case 1:
      return chosen.map(({ login }) => ({ username: login }))
    default:
      return chosen.map(({ email }) => ({ email }))
  }
}

export const RECIPES_OF_PROJECTS: Readonly<Record<string, Recipe>> = {
  listProjects(_known, random) {
    const query = random.pick([
      undefined,
      '{}',
      '{"shortname":"orchard"}',
      '{"is_member_of":true}',
      '{"is_admin_of":true}',
      '{"is_tracker_admin":true}',
      '{"is_template":true}',
    ])
    const as = query === undefined ? anyone(random) : random.pick(ACTIVE)
    if (random.chance(0.1)) return { as: ADA, query: { query: '{"with_status":"suspended"}' } }
    return { as, ...(query !== undefined && { query: { query } }) }
  },
  createProject(known, random) {
    const shortname = known.fresh('meadow-')
    const label = random.pick(['Meadow', 'Wiese & <Feld>', '草地草地', 'x'.repeat(40)])
    const template_id = random.pick([100, NURSERY])
    const more = random.chance(0.3) ? { description: '<p>Grass</p>', allow_restricted: null } : {}
    return {
      as: random.pick(ACTIVE),
      body: { shortname, label, is_public: random.chance(0.7), template_id, ...more },
    }
  },
  getProject: read,
  updateProject: (known, random) => ({
    as: ADA,
    params: { id: random.pickAny(known.projects.slice(-3))?.id ?? ORCHARD },
    body: random.pick([
      { status: 'active' },
      { status: 'archived' },
      { status: 'suspended' },
      { status: 'active', label: 'Wiese & <Feld>', icon: random.pick(['', '🌿', '🇩🇪']) },
      { status: 'active', access: random.pick(['public', 'private']), description: '<p>Grass</p>' },
    ]),
  }),
  deleteProject: (known, random) => ({
    as: ADA,
    params: { id: random.pickAny(known.projects.slice(-3))?.id ?? ORCHARD },
    dryRun: true,
  }),
  listMembers: (known, random) => ({
    as: random.pick([TOM, MARA, ADA, OLGA]),
    params: { id: random.pickAny([ORCHARD, ...known.projects.map(({ id }) => id)]) ?? ORCHARD },
  }),
  listProjectInvitations: (_known, random) => ({ as: administrator(random), params: { id: ORCHARD } }),
  restoreProject: (_known, random) => ({ as: random.pick([MARA, ADA]), params: { id: RUIN }, dryRun: true }),
  listUserGroups: (known, random) => ({
    ...readable(known, random),
    ...(random.chance(0.4) && { query: { query: '{"with_system_user_groups":true}' } }),
  }),
  listLabels: (known, random) => ({
    ...readable(known, random),
    ...(random.chance(0.4) && { query: { query: random.pick(['urg', '%', '_', 'ÜRG']) } }),
  }),
  listHeartbeats: read,
  getBanner: (known, random) => ({ as: anyone(random), params: { id: random.pickAny(known.banners) ?? VAULT } }),
  setBanner: (known, random) => ({
    as: administrator(random),
    params: { id: random.pickAny([ORCHARD, ...known.projects.map(({ id }) => id)]) ?? ORCHARD },
    // Rarely too long: most must pass to reach the code behind.
    body: {
      message: random.chance(0.1)
        ? 'x'.repeat(5000)
        : random.pick(['Harvest on Monday', '<b>Frost</b>', '❄️'.repeat(50)]),
    },
  }),
  deleteBanner: (known, random) => ({
    as: administrator(random),
    params: { id: (known.banners.length > 1 ? known.banners.shift() : known.banners[0]) ?? ORCHARD },
    dryRun: known.banners.length < 2,
  }),
  listProjectServices: read,
  switchProjectService(known, random) {
    const services = [ORCHARD_SVN, ORCHARD_TRACKERS, ...known.projects.map(({ service }) => service)]
    return {
      as: administrator(random),
      params: { id: random.pickAny(services) ?? ORCHARD_SVN },
      body: { is_enabled: random.chance(0.5) },
    }
  },
  quickSearch: (_known, random) => ({
    as: anyone(random),
    query: {
      query: random.pick(KEYWORDS),
      limit: random.pick(['1', '8', '20']),
      ...(random.chance(0.3) && { project: String(random.pick([ORCHARD, NURSERY])) }),
      ...(random.chance(0.3) && {
        only: random.pick(['artifacts', 'trackers', 'projects', 'people', 'files', 'commits']),
      }),
    },
  }),
  searchArtifacts: (_known, random) => ({
    as: anyone(random),
    query: {
      query: random.pick(KEYWORDS),
      ...(random.chance(0.3) && { project: String(random.pick([ORCHARD, NURSERY])) }),
      ...(random.chance(0.3) && { tracker: String(BUGS) }),
      ...(random.chance(0.3) && { is_open: String(random.chance(0.5)) }),
      ...(random.chance(0.3) && { assignee: random.pick(['0', '2', '999999']) }),
      ...(random.chance(0.3) && { changed_within: random.pick(['1', '365']) }),
    },
  }),
  search(_known, random) {
    const more = {
      types: [random.pick(['artifact', 'project', 'repository'])],
      project: random.pick([ORCHARD, NURSERY]),
      tracker: BUGS,
      is_open: random.chance(0.5),
    }
    return { as: anyone(random), body: { keywords: random.pick(KEYWORDS), ...some(random, more, 0.3) } }
  },
  extractReferences: (known, random) => ({ ...readable(known, random), body: { text: random.pick(TEXTS) } }),
  listGitRepositories: read,
  listMilestones: read,
  listPlannings: read,
  listBacklog: read,
  listProjectAudit: (known, random) => ({
    as: administrator(random),
    params: { id: random.pickAny([ORCHARD, ...known.projects.map(({ id }) => id)]) ?? ORCHARD },
  }),
  createUserGroup: (known, random) => ({
    as: administrator(random),
    body: {
      project_id: random.pickAny([ORCHARD, ...known.projects.map(({ id }) => id)]) ?? ORCHARD,
      short_name: known.fresh('pickers_'),
      ...(random.chance(0.5) && { description: 'Who <picks>' }),
    },
  }),
  getUserGroup: (known, random) => ({
    as: anyone(random),
    params: { id: random.pickAny([...groupsOf(known), '2', '1', '5', SHADOWS]) ?? LEADS },
  }),
  listGroupUsers: (known, random) => ({
    as: administrator(random),
    params: { id: random.pickAny(groupsOf(known)) ?? LEADS },
    ...(random.chance(0.3) && { query: { query: '{"identifier":"uma"}' } }),
  }),
  replaceGroupUsers(known, random) {
    const groups = [LEADS, ...known.projects.map(({ group }) => group)]
    const people = references(random, [TOM, UMA, OLGA, MARA])
    return {
      as: administrator(random),
      params: { id: random.pickAny(groups) ?? LEADS },
      body: random.chance(0.5) ? { user_references: people } : people,
    }
  },
  changeGroupUsers: (known, random) => ({
    as: administrator(random),
    params: { id: random.pickAny([LEADS, ...known.projects.map(({ group }) => group)]) ?? LEADS },
    body: { add: references(random, [TOM, UMA]), ...(random.chance(0.5) && { remove: references(random, [OLGA]) }) },
  }),
  updateUserGroup: (known, random) => ({
    as: administrator(random),
    params: { id: LEADS },
    body: { short_name: known.fresh('leads_') },
    dryRun: true,
  }),
  // Trackers refer to the leads, so that they cannot be deleted.
  deleteUserGroup: (_known, random) => ({
    as: ADA,
    params: { id: random.chance(0.2) ? LEADS : KEEPERS },
    dryRun: true,
  }),
  listMembership(_known, random) {
    const person = random.pick(ACTIVE)
    const query = random.pick<Record<string, string>>([{}, { scope: 'project' }, { scope: 'project', format: 'full' }])
    return { as: random.chance(0.3) ? ADA : person, params: { id: person.id }, query }
  },
}

function groupsOf(known: Knowledge): (string | number)[] {
  return [LEADS, `${ORCHARD}_3`, `${ORCHARD}_4`, `${ORCHARD}_${LEADS}`, ...known.projects.map(({ group }) => group)]
}
