import type { Client } from 'pg'
import { type CopyValue, copyRows } from '../platform/database/copy.ts'
import { createSeededRandom, type SeededRandom } from '../platform/operation/seeded-random.ts'

interface ProjectSeed {
  count: number
  /** Ids of possible members. */
  people: { first: number; count: number }
  /** The number of members per project. */
  members: number
  seed: number
}

const WORDS = [
  'Orchard',
  'Harbour',
  'Quarry',
  'Lantern',
  'Meadow',
  'Bridge',
  'Anvil',
  'Compass',
  'Delta',
  'Ember',
  'Fjord',
  'Glacier',
  'Island',
  'Juniper',
  'Kiln',
  'Ledger',
] as const

/**
 * Loads projects with members by COPY; nine in ten are public. The first person is a member of the first ten projects.
 */
export async function seedProjects(
  client: Client,
  { count, people, members, seed }: ProjectSeed,
  progress: (done: number) => void,
): Promise<void> {
  const { rows } = await client.query<{ last: string }>('select coalesce(max(id), 100) as last from project')
  const first = Math.max(Number(rows[0]?.last ?? 100), 100) + 1
  const random = createSeededRandom(seed)
  await copyRows(
    client,
    'project',
    ['id', 'shortname', 'label', 'description', 'status', 'access', 'created_on'],
    projects(first, count, random, progress),
  )
  await copyRows(
    client,
    'project_member',
    ['project_id', 'account_id', 'is_admin', 'added_on'],
    membersOf(first, count, people, members, random),
  )
  await copyRows(
    client,
    'project_service',
    ['project_id', 'name', 'label', 'is_enabled', 'icon'],
    servicesOf(first, count),
  )
  await client.query(`select setval(pg_get_serial_sequence('project', 'id'), (select max(id) from project))`)
}

const CREATED = new Date('2026-01-01T00:00:00Z')

function* projects(
  first: number,
  count: number,
  random: SeededRandom,
  progress: (done: number) => void,
): Generator<CopyValue[]> {
  for (let index = 0; index < count; index++) {
    const id = first + index
    const word = random.pick(WORDS)
    const access = index % 10 === 9 ? 'private' : 'public'
    yield [
      id,
      `${word.toLowerCase()}-${id}`,
      `${word} ${id}`,
      `Work on ${word} number ${id}.`,
      'active',
      access,
      CREATED,
    ]
    if (index % 100 === 0) progress(index)
  }
  progress(count)
}

function* membersOf(
  first: number,
  count: number,
  people: ProjectSeed['people'],
  members: number,
  random: SeededRandom,
): Generator<CopyValue[]> {
  for (let index = 0; index < count; index++) {
    const chosen = new Set<number>(index < 10 ? [people.first] : [])
    while (chosen.size < Math.min(members, people.count - 1))
      chosen.add(people.first + 1 + random.integer(people.count - 1))
    let isAdmin = true
    for (const person of chosen) {
      yield [first + index, person, isAdmin, CREATED]
      isAdmin = false
    }
  }
}

function* servicesOf(first: number, count: number): Generator<CopyValue[]> {
  for (let index = 0; index < count; index++) {
    yield [first + index, 'summary', 'Summary', true, 'fa-home']
    yield [first + index, 'plugin_tracker', 'Trackers', true, 'fa-list-ol']
    yield [first + index, 'plugin_svn', 'Subversion', true, 'fa-code-branch']
    yield [first + index, 'admin', 'Administration', true, 'fa-cog']
  }
}
