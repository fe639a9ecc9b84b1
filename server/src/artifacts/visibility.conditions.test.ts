import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, RITA, type TestPerson, TOM, UMA, VICTOR } from '../../test/fixtures/people.ts'
import { LEADS, MARSH, MARSH_BUGS, ORCHARD, SAFE, VAULT } from '../../test/fixtures/seed-ids.ts'
import { findUsableViewer } from '../accounts/sign-in/find-viewer.ts'
import { toId } from '../platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../platform/http/request-state.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { memberships } from '../projects/groups/memberships.ts'
import { loadTracker } from '../trackers/load-tracker.ts'
import { getTrackerAccess, type TrackerAccess } from '../trackers/tracker-access.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { fromTracker, fullyVisibleTrackers } from '../trackers/visibility.ts'
import {
  hiddenArtifactConditions,
  inTrackersCalled,
  isVisibleInTracker,
  isVisibleInTrackers,
  joinArtifact,
  joinTrackerAndProject,
  joinTrackerProjectAndMemberships,
  maySeeAllArtifacts,
  maySeeArtifact,
  maySeeLinkedArtifact,
  seesAllUnrestricted,
  visibleArtifactCount,
  wouldSeeArtifact,
} from './visibility.ts'
import { aliases } from '../platform/database/aliases.ts'

const ROWS = aliases('artifact', 'tracker', 'project', 'me')

// The tests only read: the world is made once.
const { api, context } = await startWorld({ seedOnce: true })
const { db } = context

const everybody = { permissions: { read: ['@anonymous'], submit: ['@anonymous'], update: ['@anonymous'] } }
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...everybody, ...more })
const SUMMARY = field('summary', 'string')
const SEEN_BY = field('seen_by', 'perm')

async function makeTracker(name: string, permissions: object, elements: readonly object[] = []): Promise<TrackerId> {
  const carrier = field('carrier', 'msb', { bind: { type: 'users', sources: ['@members', 'leads'] } })
  const { id } = await makeTestTracker(api, {
    label: name,
    item_name: name,
    permissions,
    elements: [SUMMARY, carrier, ...elements],
    semantics: { title: 'summary', contributor: 'carrier' },
  })
  return toId<TrackerId>(id)
}

const TRACKERS = {
  open: await makeTracker('open', { full: ['@anonymous'] }),
  gated: await makeTracker('gated', { full: ['@members'] }, [SEEN_BY]),
  own: await makeTracker('own', { submitted_by_user: ['@registered'] }, [SEEN_BY]),
  team: await makeTracker('team', { submitted_by_group: ['leads'] }),
  carried: await makeTracker('carried', { assigned_to_group: ['leads'], admin: ['@members'] }),
  led: await makeTracker('led', { full: ['@registered'], admin: ['leads'] }, [SEEN_BY]),
  lost: await makeTracker('lost', { full: ['@anonymous'] }),
  closed: await makeTracker('closed', {}),
}
type TrackerName = keyof typeof TRACKERS

const NAMES = new Map<number, string>()

async function submit(name: string, tracker: TrackerId, by: TestPerson, values: object = {}): Promise<void> {
  const body = { tracker: { id: tracker }, values_by_field: { summary: name, ...values } }
  const { status, text, json } = await api.post('/artifacts', { as: by, body })
  if (status !== 201) throw new Error(`${name} was not made: ${text}`)
  NAMES.set(json.id, name)
}

/** Outside Orchard the rows are inserted, because those trackers have other fields. */
async function insert(id: number, name: string, tracker: TrackerId): Promise<void> {
  await sql`insert into artifact (id, project_id, tracker_id, number, field_values, submitted_by, submitted_on,
      last_update_by, last_modified_date, last_modified)
    select ${id}, project_id, id, 1, '{}', ${MARA.id}, now(), ${MARA.id}, now(), now()
    from tracker where id = ${tracker}`.execute(db)
  NAMES.set(id, name)
}

const only = (...granted_groups: string[]) => ({ seen_by: { value: { granted_groups, is_used_by_default: true } } })
await submit('open', TRACKERS.open, MARA)
await submit('open, once restricted', TRACKERS.open, MARA)
await submit('open, deleted', TRACKERS.open, MARA)
await submit('gated', TRACKERS.gated, MARA)
await submit('gated for leads', TRACKERS.gated, MARA, only(String(LEADS)))
await submit('gated for leads, deleted', TRACKERS.gated, MARA, only(String(LEADS)))
await submit('own of olga', TRACKERS.own, OLGA)
await submit('own of gus', TRACKERS.own, GUS)
await submit('own of gus for admins', TRACKERS.own, GUS)
await submit('team of gus', TRACKERS.team, GUS)
await submit('team of mara', TRACKERS.team, MARA)
await submit('carried by uma', TRACKERS.carried, MARA, { carrier: ['uma'] })
await submit('carried by tom', TRACKERS.carried, MARA, { carrier: ['tom'] })
await submit('led', TRACKERS.led, MARA)
await submit('led for admins', TRACKERS.led, MARA, only(`${ORCHARD}_4`))
await submit('closed', TRACKERS.closed, MARA)
await submit('lost', TRACKERS.lost, MARA)
await insert(14_901, 'of vault', SAFE)
await insert(14_902, 'of marsh', MARSH_BUGS)

for (const [id, name] of NAMES) if (name.endsWith(', deleted')) await api.delete(`/artifacts/${id}`, { as: MARA })
const find = (name: string) => [...NAMES].find(([, each]) => each === name)?.[0]
await api.put(`/artifacts/${find('own of gus for admins')}`, {
  as: MARA,
  body: { values_by_field: only(`${ORCHARD}_4`) },
})
// Left by a restricting field that the tracker has no more: it restricts nothing.
await sql`update artifact set restricted_to = ${[LEADS]}::bigint[] where id = ${find('open, once restricted')}`.execute(
  db,
)
await sql`update tracker set deleted_on = now() where id = ${TRACKERS.lost}`.execute(db)
await sql`delete from tracker_grant where tracker_id = any(${[SAFE, MARSH_BUGS]}::bigint[])`.execute(db)
await sql`insert into tracker_grant (project_id, tracker_id, kind, group_id)
  values (${VAULT}, ${SAFE}, 'full', 1), (${MARSH}, ${MARSH_BUGS}, 'full', 1),
    (${ORCHARD}, ${TRACKERS.own}, 'submitted_by_user', 1)`.execute(db)

async function as(person: TestPerson, projects?: readonly number[]): Promise<Viewer> {
  const viewer = await findUsableViewer(context, person.id)
  if (!viewer) throw new Error('They cannot sign in.')
  return projects ? { ...viewer, credential: { kind: 'access_key', id: '1', projects: [...projects] } } : viewer
}

const VIEWERS = {
  anonymous: ANONYMOUS_VIEWER,
  olga: await as(OLGA),
  'rita, who is restricted': await as(RITA),
  tom: await as(TOM),
  uma: await as(UMA),
  gus: await as(GUS),
  'gus by a key for Orchard': await as(GUS, [ORCHARD]),
  'gus by a key for Vault': await as(GUS, [VAULT]),
  mara: await as(MARA),
  'mara by a key for Vault': await as(MARA, [VAULT]),
  victor: await as(VICTOR),
  ada: await as(ADA),
} as const
type ViewerName = keyof typeof VIEWERS

const OPEN = ['open', 'open, once restricted']
const GUSS = [...OPEN, 'own of gus', 'team of gus', 'carried by uma', 'led', 'led for admins']
const OF_ORCHARD = [...NAMES.values()].filter(
  (name) => !name.endsWith(', deleted') && !['lost', 'of vault', 'of marsh'].includes(name),
)

const VISIBLE: Readonly<Record<ViewerName, readonly string[]>> = {
  anonymous: OPEN,
  olga: [...OPEN, 'own of olga', 'led'],
  'rita, who is restricted': [],
  tom: [...OPEN, 'gated', 'carried by uma', 'carried by tom', 'led'],
  uma: [
    ...OPEN,
    'gated',
    'gated for leads',
    'team of gus',
    'carried by uma',
    'carried by tom',
    'led',
    'led for admins',
  ],
  gus: GUSS,
  'gus by a key for Orchard': GUSS,
  'gus by a key for Vault': [],
  mara: OF_ORCHARD,
  'mara by a key for Vault': [],
  victor: [...OPEN, 'led', 'of vault'],
  ada: [...OF_ORCHARD, 'of vault', 'of marsh'],
}

const nameRows = (rows: readonly { id: number }[]) => rows.flatMap(({ id }) => NAMES.get(id) ?? []).toSorted()
const sorted = (names: readonly string[]) => names.toSorted()

async function findNames(viewer: Viewer, condition: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select artifact.id from artifact ${joinTrackerProjectAndMemberships(viewer)} where ${condition}`.execute(db)
  return nameRows(rows)
}

async function loadAccess(viewer: Viewer, id: TrackerId): Promise<TrackerAccess> {
  const tracker = await loadTracker(db, id)
  if (!tracker) throw new Error('There is no such tracker.')
  return getTrackerAccess(db, tracker, viewer)
}

/** Trackers of Orchard that are read with a cached access, which supposes that the viewer may enter the project. */
const CACHED = ['open', 'gated', 'own', 'team', 'carried', 'led', 'closed'] as const satisfies readonly TrackerName[]
const isOf = (tracker: string) => (name: string) =>
  name === tracker || name.startsWith(`${tracker} `) || name.startsWith(`${tracker},`)

describe.each(Object.entries(VIEWERS))('of all artifacts, %s', (who, viewer) => {
  const visible = Object.entries(VISIBLE).find(([name]) => name === who)?.[1] ?? []

  test('sees those that are granted', async () => {
    expect(await findNames(viewer, maySeeArtifact(viewer, ROWS))).toEqual(sorted(visible))
  })

  test('would see those that are deleted, by the same rules', async () => {
    const mayRead = (name: string) => visible.includes(name)
    const deleted = [
      ...(mayRead('open') ? ['open, deleted', 'lost'] : []),
      ...(mayRead('gated for leads') ? ['gated for leads, deleted'] : []),
    ]
    expect(await findNames(viewer, wouldSeeArtifact(viewer, ROWS))).toEqual(sorted([...visible, ...deleted]))
  })

  test('sees the same at the ends of links', async () => {
    const { rows } = await sql<{ id: number }>`
      with me as (${memberships(viewer)}) select artifact.id from artifact, me
      where ${maySeeLinkedArtifact(viewer, ROWS)}`.execute(db)
    expect(nameRows(rows)).toEqual(sorted(visible))
  })
})

/** Trackers of which a viewer sees every artifact, and every one that is not restricted. */
const WHOLE: readonly {
  readonly who: ViewerName
  readonly whole: readonly string[]
  readonly unrestricted: readonly string[]
}[] = [
  { who: 'anonymous', whole: ['open'], unrestricted: ['open'] },
  { who: 'olga', whole: ['open'], unrestricted: ['open', 'led'] },
  { who: 'rita, who is restricted', whole: [], unrestricted: [] },
  { who: 'tom', whole: ['open', 'carried'], unrestricted: ['open', 'carried', 'gated', 'led'] },
  { who: 'uma', whole: ['open', 'carried', 'led'], unrestricted: ['open', 'carried', 'gated', 'led'] },
  { who: 'gus', whole: ['open', 'led'], unrestricted: ['open', 'led'] },
  { who: 'gus by a key for Vault', whole: [], unrestricted: [] },
  { who: 'mara', whole: [...CACHED], unrestricted: [...CACHED] },
  { who: 'mara by a key for Vault', whole: [], unrestricted: [] },
  { who: 'victor', whole: ['open', 'safe'], unrestricted: ['open', 'led', 'safe'] },
  { who: 'ada', whole: [...CACHED, 'safe', 'marsh'], unrestricted: [...CACHED, 'safe', 'marsh'] },
]
const TRACKER_NAMES = new Map<number, string>([
  ...Object.entries(TRACKERS).map(([name, id]) => [id, name] as const),
  [SAFE, 'safe'],
  [MARSH_BUGS, 'marsh'],
])
const nameTrackers = (rows: readonly { id: number }[]) =>
  rows.flatMap(({ id }) => TRACKER_NAMES.get(id) ?? []).toSorted()

describe.each(WHOLE)('of whole trackers, $who', ({ who, whole, unrestricted }) => {
  const viewer = VIEWERS[who]

  test('sees every artifact', async () => {
    const { rows } = await sql<{ id: number }>`
      with me as (${memberships(viewer)})
      select tracker.id from tracker join project on project.id = tracker.project_id, me
      where ${maySeeAllArtifacts(viewer, ROWS)}`.execute(db)
    expect(nameTrackers(rows)).toEqual(sorted(whole))
  })

  test('sees every unrestricted artifact', async () => {
    const { rows } = await sql<{ id: number }>`
      with me as (${memberships(viewer)}) select tracker.id from ${fullyVisibleTrackers(viewer)}`.execute(db)
    expect(nameTrackers(rows)).toEqual(sorted(unrestricted))
  })
})

describe.each(['anonymous', 'olga', 'tom', 'uma', 'gus', 'mara', 'ada'] as const)('with cached access, %s', (who) => {
  const viewer = VIEWERS[who]
  const visible = VISIBLE[who]
  const unrestricted = WHOLE.find((each) => each.who === who)?.unrestricted ?? []

  async function findCached(condition: RawBuilder<boolean>): Promise<string[]> {
    const { rows } = await sql<{ id: number }>`select artifact.id from artifact where ${condition}`.execute(db)
    return nameRows(rows)
  }

  test.each(CACHED)('sees the same artifacts of %s', async (name) => {
    const access = await loadAccess(viewer, TRACKERS[name])
    const expected = sorted(visible.filter(isOf(name)))
    expect(await findCached(isVisibleInTracker(access))).toEqual(expected)
    expect(await findCached(isVisibleInTrackers([access]))).toEqual(expected)
    const { rows } = await sql<{ count: number }>`
      select ${visibleArtifactCount(access)} as count from ${fromTracker(TRACKERS[name])}`.execute(db)
    expect(Number(rows[0]?.count)).toBe(expected.length)
  })

  test.each([
    { names: CACHED },
    { names: ['open', 'led'] as const },
    { names: ['open', 'carried'] as const },
    { names: ['own', 'team'] as const },
    { names: ['gated', 'led'] as const },
  ])('sees the same artifacts of $names together', async ({ names }) => {
    const accesses = await Promise.all(names.map((name) => loadAccess(viewer, TRACKERS[name])))
    const expected = visible.filter((artifact) => names.some((name) => isOf(name)(artifact)))
    expect(await findCached(isVisibleInTrackers(accesses))).toEqual(sorted(expected))
  })

  test('sees all but the hidden artifacts of trackers that are visible in full', async () => {
    const full: string[] = []
    for (const name of CACHED) {
      const access = await loadAccess(viewer, TRACKERS[name])
      if (!seesAllUnrestricted(access)) continue
      full.push(name)
      const hidden = new Set<string>()
      for (const condition of hiddenArtifactConditions(access))
        for (const each of await findCached(condition)) hidden.add(each)
      const expected = [...NAMES.values()].filter((each) => isOf(name)(each) && !visible.includes(each))
      expect(sorted([...hidden])).toEqual(sorted(expected))
    }
    expect(sorted(full)).toEqual(sorted(unrestricted.filter((name) => name !== 'safe' && name !== 'marsh')))
  })
})

test('trackers that hide nothing share one condition', async () => {
  const accesses = async (...names: readonly TrackerName[]) =>
    Promise.all(names.map((name) => loadAccess(VIEWERS.olga, TRACKERS[name])))
  const parametersOf = (condition: RawBuilder<boolean>) => sql`select ${condition}`.compile(db).parameters
  expect(parametersOf(isVisibleInTrackers(await accesses('open', 'led')))).toEqual([
    [TRACKERS.open],
    TRACKERS.led,
    [1, 5, 2],
  ])
  expect(parametersOf(isVisibleInTrackers(await accesses('led', 'closed')))).toEqual([
    TRACKERS.led,
    [1, 5, 2],
    TRACKERS.closed,
  ])
})

test('a hidden artifact is found by one of two conditions, if the tracker restricts any', async () => {
  const conditionsFor = async (viewer: Viewer, name: TrackerName) =>
    hiddenArtifactConditions(await loadAccess(viewer, TRACKERS[name])).length
  expect(await conditionsFor(VIEWERS.olga, 'led')).toBe(2)
  expect(await conditionsFor(VIEWERS.olga, 'open')).toBe(1)
  expect(await conditionsFor(VIEWERS.mara, 'led')).toBe(1)
})

test('artifacts are found by the item name of their tracker, in any case of letters', async () => {
  const called = (name: string, isNot: boolean) => findNames(VIEWERS.ada, inTrackersCalled(name, isNot))
  expect(await called('LED', false)).toEqual(['led', 'led for admins'])
  expect(await called('led', true)).toEqual(sorted([...NAMES.values()].filter((name) => !isOf('led')(name))))
  expect(await called('no such', false)).toEqual([])
})

test('an anonymous viewer has submitted nothing, even if a grant for submitters named them', async () => {
  const access = await loadAccess(ANONYMOUS_VIEWER, TRACKERS.own)
  const tracker = { ...access.tracker, grants: { ...access.tracker.grants, submitted_by_user: [1] } }
  expect(await findNames(ANONYMOUS_VIEWER, isVisibleInTracker({ ...access, tracker }))).toEqual([])
  const { rows } = await sql`select from artifact ${joinTrackerAndProject}
    cross join (${memberships(ANONYMOUS_VIEWER)}) me
    cross join lateral (select ${wouldSeeArtifact(ANONYMOUS_VIEWER, ROWS)} as sees) seen
    where artifact.tracker_id = ${TRACKERS.own} and sees is distinct from false`.execute(db)
  expect(rows).toEqual([])
})

test('the rows of tracker and project are those of the artifact', async () => {
  const { rows } = await sql<{ name: string }>`
    select artifact.id, tracker.item_name || ' of ' || project.shortname as name
    from (select id as artifact_id from artifact) part ${joinArtifact(sql`part.artifact_id`)} ${joinTrackerAndProject}
    where artifact.tracker_id in (${TRACKERS.team}, ${SAFE})`.execute(db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['secret of vault', 'team of orchard', 'team of orchard'])
})
