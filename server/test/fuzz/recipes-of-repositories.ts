import { ADA, MARA } from '../people.ts'
import { LEADS, ORCHARD, SEEDS } from '../places.ts'
import type { Random } from './random.ts'
import { anyone, type Recipe, some } from './recipe.ts'

const NAMES: readonly [string, ...string[]] = ['core', 'Core', 'web-site', 'a.b_c']
const ACCESS_FILES: readonly [string, ...string[]] = [
  '',
  '[/secret]\n* =\n@leads = rw',
  '[groups]\nfriends = olga\n[/]\n@friends = r',
  '\r\n[:glob:/**/*.key]\r\n@gone = rw\r\n* =\r\n',
]

const settings = (random: Random) => ({
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

/** How to make and change repositories. */
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
  updateRepository: (_known, random) => ({
    as: random.pick([MARA, ADA]),
    params: { id: SEEDS },
    body: { settings: settings(random) },
  }),
}
