import { Client } from 'pg'
import { seedAccounts } from '../../server/src/accounts/seed-accounts.ts'
import { callRoute, OPERATOR } from '../../server/src/commands/call-route.ts'
import { createContext } from '../../server/src/context.ts'
import { copyRows } from '../../server/src/platform/database/copy.ts'
import { toId } from '../../server/src/platform/database/ids.ts'
import { readConfig } from '../../server/src/platform/operation/config.ts'
import type { Context } from '../../server/src/platform/operation/context.ts'
import { sha256 } from '../../server/src/platform/operation/secrets.ts'
import { createTracker } from '../../server/src/trackers/create-tracker.ts'
import { type LoadedTracker, loadTracker } from '../../server/src/trackers/load-tracker.ts'
import { SEED } from './chance.ts'
import { KEYS } from './keys.ts'
import { type Ids, tagLabel } from './model.ts'
import { DEFINITION, GROUPS, LINK_TYPE, PEOPLE, PROJECT, TAGS } from './tracker.ts'

export const SECRET_KEY = 'a-secret-key-of-the-measurements-that-is-long-enough'
const CREATED = new Date('2021-01-01T00:00:00Z')

export interface Installed {
  readonly ids: Ids
  readonly tracker: LoadedTracker
  readonly referenceKinds: Context['referenceKinds']
}

/** People, groups, their keys, the project and the tracker, which is made by the operation of the API. */
export async function install(ownerUrl: string, appUrl: string): Promise<Installed> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const context = await createContext(
    readConfig({
      WAYPOST_DATABASE_URL: appUrl,
      WAYPOST_SECRET_KEYS: SECRET_KEY,
      WAYPOST_LOG_LEVEL: 'error',
    }),
  )
  try {
    const firstPerson = await seedAccounts(client, PEOPLE, SEED, () => {})
    const project = await createProject(client, firstPerson)
    const groups = await createGroups(client, project, firstPerson)
    await client.query(`insert into link_type values ($1, 'Relates to', 'Related from')`, [LINK_TYPE])
    const made = await callRoute(context, createTracker, OPERATOR, { params: { id: project }, body: DEFINITION })
    const tracker = await loadTracker(context.db, toId(idIn(made)))
    if (!tracker) throw new Error('The tracker was not made.')
    const ids = idsOf(tracker, firstPerson, groups.get('blue') ?? 0)
    await copyRows(
      client,
      'open_value',
      ['id', 'project_id', 'tracker_id', 'field_id', 'label'],
      Array.from({ length: TAGS }, (_, at) => [at + 1, project, tracker.id, ids.fields['tags'] ?? 0, tagLabel(at)]),
    )
    await client.query(`select setval(pg_get_serial_sequence('open_value', 'id'), $1)`, [TAGS])
    return { ids, tracker, referenceKinds: context.referenceKinds }
  } finally {
    await client.end()
    await context.db.destroy()
  }
}

async function createProject(client: Client, firstPerson: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `insert into project (shortname, label, description, status, access, created_on)
     values ($1, 'Bench', 'Measured.', 'active', 'private', $2) returning id`,
    [PROJECT, CREATED],
  )
  const project = Number(rows[0]?.id)
  const members = Array.from({ length: PEOPLE }, (_, at) => [project, firstPerson + at, CREATED])
  await copyRows(client, 'project_member', ['project_id', 'account_id', 'added_on'], members)
  await client.query(
    `insert into project_service (project_id, name, label, is_enabled, icon)
     select $1, name, label, is_enabled, icon from project_service where project_id = 100`,
    [project],
  )
  return project
}

async function createGroups(client: Client, project: number, firstPerson: number): Promise<Map<string, number>> {
  const made = new Map<string, number>()
  for (const [name, { first, count, role }] of Object.entries(GROUPS)) {
    const { rows } = await client.query<{ id: string }>(
      'insert into user_group (project_id, short_name, created_on) values ($1, $2, $3) returning id',
      [project, name, CREATED],
    )
    const group = Number(rows[0]?.id)
    made.set(name, group)
    const members = Array.from({ length: count }, (_, at) => [project, group, firstPerson + first + at])
    await copyRows(client, 'user_group_member', ['project_id', 'user_group_id', 'account_id'], members)
    const { id, prefix, secret } = KEYS[role]
    await client.query(
      `insert into access_key (id, account_id, prefix, digest, scopes, created_on) values ($1, $2, $3, $4, '{write:rest}', $5)`,
      [id, firstPerson + first, prefix, sha256(secret), CREATED],
    )
  }
  return made
}

function idIn(answer: unknown): number {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined
  if (typeof id !== 'number') throw new Error('The tracker was not made.')
  return id
}

function idsOf(tracker: LoadedTracker, firstPerson: number, blue: number): Ids {
  return {
    project: tracker.project_id,
    tracker: tracker.id,
    fields: Object.fromEntries(tracker.elements.map(({ name, id }) => [name, id])),
    values: Object.fromEntries(
      tracker.elements.map(({ name, bind }) => [name, bind?.type === 'static' ? bind.values.map(({ id }) => id) : []]),
    ),
    firstPerson,
    blue,
  }
}
