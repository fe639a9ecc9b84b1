import type { TestClient } from '../../harness/client.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../fixtures/every-field.ts'
import { ROOTS, TREES } from '../../fixtures/linked-trackers.ts'
import { ADA, GUS, MARA, OLGA, RITA, type TestPerson, TOM, UMA, VICTOR } from '../../fixtures/people.ts'
import { LEADS, ORCHARD, VAULT } from '../../fixtures/seed-ids.ts'

/** Trackers of several permissions, and artifacts that link and refer to each other. */
export interface CachedScene {
  readonly trackers: readonly number[]
  /** Those that an artifact can move between. */
  readonly movable: readonly number[]
  readonly artifacts: number[]
  readonly deleted: number[]
}

/** Viewers of the scene; undefined: anonymous. Some have equal rights. */
export const CACHED_VIEWERS: readonly (TestPerson | undefined)[] = [
  undefined,
  ADA,
  MARA,
  TOM,
  UMA,
  GUS,
  OLGA,
  RITA,
  VICTOR,
]

const ARTIFACTS_PER_TRACKER = 3
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const FURTHER = [
  field('assigned_to', 'msb', { bind: { type: 'users', sources: ['@members', 'leads'] } }),
  field('team', 'sb', { bind: { type: 'ugroups', groups: ['@members', 'leads'] } }),
  field('papers', 'file'),
  field('seen_by', 'perm'),
  field('rank', 'priority'),
]
const semantics = { ...TREES.semantics, contributor: 'assigned_to' }
const SHRUBS = { ...TREES, label: 'Shrubs', item_name: 'shrub', elements: [...TREES.elements, ...FURTHER], semantics }
/** Its artifacts are seen by their submitters, by their assignees in `leads`, and by all members in full. */
const PARTLY_SEEN = {
  ...SHRUBS,
  label: 'Weeds',
  item_name: 'weed',
  permissions: { full: ['@members'], submitted_by_user: ['@registered'], assigned_to_group: ['leads'] },
}

export async function makeCachedScene(api: TestClient): Promise<CachedScene> {
  const made: MadeTracker[] = []
  for (const definition of [TREES, SHRUBS, ROOTS, PARTLY_SEEN]) made.push(await makeTestTracker(api, definition))
  const [trees, shrubs] = made
  const hidden = await api.post(`/projects/${VAULT}/trackers`, {
    as: VICTOR,
    body: { ...TREES, label: 'Vaults', item_name: 'vault', permissions: { full: ['@members'] } },
  })
  if (hidden.status !== 201 || !trees || !shrubs) throw new Error(`The tracker was not made: ${hidden.text}`)
  const artifacts: number[] = []
  for (const tracker of made)
    for (let count = 0; count < ARTIFACTS_PER_TRACKER; count++)
      artifacts.push(await makeTestArtifact(api, tracker, { summary: `Plant ${count}`, points: count, status: 'Open' }))
  for (let count = 0; count < 2; count++) {
    const body = {
      tracker: { id: hidden.json.id },
      values_by_field: { summary: `Vault ${count}`, points: 5, status: 'Open' },
    }
    artifacts.push((await api.post('/artifacts', { as: VICTOR, body })).json.id)
  }
  return {
    trackers: [...made.map(({ id }) => id), hidden.json.id],
    movable: [trees.id, shrubs.id],
    artifacts,
    deleted: [],
  }
}

export const RESTRICTING_GROUPS = [String(LEADS), `${ORCHARD}_3`, `${ORCHARD}_4`] as const
