import { ADA, MARA } from '../../fixtures/people.ts'
import { LEADS, LOST_SEEDS, ORCHARD, SEEDS } from '../../fixtures/seed-ids.ts'
import type { RepeatableRandom } from './random.ts'
import { ACTIVE, anyone, type Recipe, some } from './recipe.ts'

const NAMES: readonly [string, ...string[]] = ['core', 'Core', 'web-site', 'a.b_c']
const ACCESS_FILES: readonly [string, ...string[]] = [
  '',
  '[/secret]\n* =\n@leads = rw',
  '[groups]\nfriends = olga\n[/]\n@friends = r',
  '\r\n[:glob:/**/*.key]\r\n@gone = rw\r\n* =\r\n',
]

const settings = (random: RepeatableRandom) => ({
  commit_rules: { is_reference_mandatory: random.chance(0.5), is_commit_message_change_allowed: random.chance(0.5) },
  immutable_tags: {
    paths: random.pick([[], ['/tags'], ['*/tags/', 'Ü 船']]),
    whitelist: random.pick([[], ['/tags/a']]),
  },
  access_file: random.pick(ACCESS_FILES),
  email_notifications: random.pick([
    [],
    [{ path: '/trunk', emails: ['dev@fuzz.example'], users: [MARA.id], user_groups: [String(LEADS), `${ORCHARD}_3`] }],
  ]),
})

/** Of the only revision. */
const browse =
  (query: Readonly<Record<string, string>>): Recipe =>
  (_known, random) => ({
    as: random.pick(ACTIVE),
    params: { id: SEEDS },
    query: { ...query, ...(random.chance(0.5) && { rev: random.pick(['HEAD', '1']) }) },
  })

/** Creating, changing and browsing repositories. */
export const RECIPES_OF_REPOSITORIES: Readonly<Record<string, Recipe>> = {
  listRepositories: (_known, random) => ({ as: anyone(random), params: { id: ORCHARD } }),
  createRepository: (_known, random) => ({
    as: random.pick([MARA, ADA]),
    body: {
      project_id: ORCHARD,
      name: `${random.pick(NAMES)}${random.integer(0, 1e9)}`,
      settings: { ...some(random, settings(random)), ...(random.chance(0.3) && { layout: ['trunk', 'tags'] }) },
    },
    dryRun: random.chance(0.8),
  }),
  getRepository: (_known, random) => ({ as: anyone(random), params: { id: SEEDS } }),
  listAccessFiles: (_known, random) => ({ as: random.pick([MARA, ADA]), params: { id: SEEDS } }),
  listSvnTree: browse({ path: '/' }),
  getSvnFile: browse({ path: '/readme' }),
  listSvnLog: browse({ path: '/readme', stop_on_copy: 'true' }),
  listSvnRevisions: (_known, random) => ({
    as: random.pick(ACTIVE),
    params: { id: SEEDS },
    query: random.chance(0.5) ? { author: 'mara', text: 'seeds' } : { from: '2020-01-01', to: '2030-01-01' },
  }),
  getSvnRevision: (_known, random) => ({ as: random.pick(ACTIVE), params: { id: SEEDS, rev: random.pick([0, 1]) } }),
  getSvnDiff: browse({ path: '/', from: '0', context: '2' }),
  getSvnBlame: browse({ path: '/readme' }),
  updateRepository: (_known, random) => ({
    as: random.pick([MARA, ADA]),
    params: { id: SEEDS },
    body: { settings: settings(random) },
  }),
  // Dry runs only: the repository is shared, and the seeded one in the trash does not exist on disk.
  deleteRepository: (_known, random) => ({ as: random.pick([MARA, ADA]), params: { id: SEEDS }, dryRun: true }),
  restoreRepository: (_known, random) => ({
    as: ADA,
    params: { id: LOST_SEEDS },
    ...(random.chance(0.5) && { body: some(random, { name: `${random.pick(NAMES)}${random.integer(0, 1e9)}` }, 0.7) }),
    dryRun: true,
  }),
}
