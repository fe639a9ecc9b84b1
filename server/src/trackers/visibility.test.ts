import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../test/fixtures/people.ts'
import { BUGS, LEADS, LEDGER, LOST_BUGS, MARSH_BUGS, ORCHARD, SAFE, VAULT } from '../../test/fixtures/seed-ids.ts'
import { findUsableViewer } from '../accounts/sign-in/find-viewer.ts'
import { ANONYMOUS_VIEWER } from '../platform/http/request-state.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { memberships } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import {
  administers,
  fromTracker,
  fromTrackers,
  fullyVisibleTrackers,
  isGranted,
  joinTracker,
  maySeeTracker,
} from './visibility.ts'

const { context } = await startWorld()
const { db } = context
const NAMES: Record<number, string> = {
  [BUGS]: 'bugs',
  [LEDGER]: 'ledger',
  [LOST_BUGS]: 'lost',
  [MARSH_BUGS]: 'marsh',
  [SAFE]: 'safe',
}

async function as(person: TestPerson | undefined): Promise<Viewer> {
  const viewer = person ? await findUsableViewer(context, person.id) : ANONYMOUS_VIEWER
  if (!viewer) throw new Error('They cannot sign in.')
  return viewer
}

const namesOf = (rows: readonly { id: number }[]) => rows.flatMap(({ id }) => NAMES[id] ?? []).toSorted()

const ROWS = aliases('tracker', 'project')
async function where(condition: RawBuilder<boolean>): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select tracker.id from tracker ${joinProject(sql`tracker.project_id`)} where ${condition}`.execute(db)
  return namesOf(rows)
}

// Anybody sees Bugs, which `leads` administer; in Ledger `leads` see what they submitted.
beforeEach(async () => {
  await sql`delete from tracker_grant`.execute(db)
  await sql`insert into tracker_grant (project_id, tracker_id, kind, group_id)
    select tracker.project_id, tracker.id, given.kind, given.group_id from tracker join (values
      (${BUGS}::bigint, 'full', 1::bigint), (${BUGS}, 'admin', ${LEADS}), (${LEDGER}, 'submitted_by_user', ${LEADS}),
      (${LOST_BUGS}, 'full', 1), (${MARSH_BUGS}, 'full', 1), (${SAFE}, 'full', 1)
    ) as given (tracker_id, kind, group_id) on given.tracker_id = tracker.id`.execute(db)
})

const sorted = (names: readonly string[]) => names.toSorted()
const ALL_BUT_LOST = ['bugs', 'ledger', 'marsh', 'safe']

describe('a tracker', () => {
  test.each([
    { who: 'nobody', person: undefined, sees: ['bugs'], open: ['bugs'], administered: [] },
    { who: 'olga', person: OLGA, sees: ['bugs'], open: ['bugs'], administered: [] },
    { who: 'tom', person: TOM, sees: ['bugs'], open: ['bugs'], administered: [] },
    {
      who: 'gus, of leads and no member',
      person: GUS,
      sees: ['bugs', 'ledger'],
      open: ['bugs'],
      administered: ['bugs'],
    },
    { who: 'uma, of leads', person: UMA, sees: ['bugs', 'ledger'], open: ['bugs'], administered: ['bugs'] },
    { who: 'victor', person: VICTOR, sees: ['bugs', 'safe'], open: ['bugs', 'safe'], administered: ['safe'] },
    {
      who: 'mara, who administers Orchard',
      person: MARA,
      sees: ['bugs', 'ledger'],
      open: ['bugs', 'ledger'],
      administered: ['bugs', 'ledger', 'lost', 'marsh'],
    },
    { who: 'ada', person: ADA, sees: ALL_BUT_LOST, open: ALL_BUT_LOST, administered: [...ALL_BUT_LOST, 'lost'] },
  ])('for $who', async ({ person, sees, open, administered }) => {
    const viewer = await as(person)
    expect(await where(maySeeTracker(viewer, ROWS))).toEqual(sorted(sees))
    expect(await where(administers(viewer, ROWS))).toEqual(sorted(administered))
    const { rows } = await sql<{ id: number }>`
      with me as (${memberships(viewer)}) select tracker.id from ${fullyVisibleTrackers(viewer)}`.execute(db)
    expect(namesOf(rows)).toEqual(sorted(open))
  })

  test('that has no grant is for those who administer the project', async () => {
    await sql`delete from tracker_grant`.execute(db)
    for (const person of [undefined, TOM, UMA]) expect(await where(maySeeTracker(await as(person), ROWS))).toEqual([])
    expect(await where(maySeeTracker(await as(MARA), ROWS))).toEqual(['bugs', 'ledger'])
    expect(await where(isGranted(await as(UMA), ROWS))).toEqual([])
    expect(await where(isGranted(await as(MARA), ROWS))).toEqual(['bugs', 'ledger', 'lost', 'marsh'])
  })

  test('is not administered anonymously, even if a grant named everybody', async () => {
    await sql`update tracker_grant set group_id = 1 where tracker_id = ${BUGS} and kind = 'admin'`.execute(db)
    expect(await where(administers(ANONYMOUS_VIEWER, ROWS))).toEqual([])
    expect(await where(administers(await as(OLGA), ROWS))).toEqual(['bugs'])
  })

  test('is not for a key that is limited to other projects', async () => {
    const mara = await as(MARA)
    const byKey = (...projects: number[]): Viewer => ({
      ...mara,
      credential: { kind: 'access_key', id: '1', projects },
    })
    expect(await where(maySeeTracker(byKey(VAULT), ROWS))).toEqual([])
    expect(await where(administers(byKey(VAULT), ROWS))).toEqual([])
    expect(await where(maySeeTracker(byKey(VAULT, ORCHARD), ROWS))).toEqual(['bugs', 'ledger'])
    expect(await where(administers(byKey(ORCHARD), ROWS))).toEqual(['bugs', 'ledger', 'lost'])
  })

  test('is found by its id, with its project', async () => {
    const named = async (rows: RawBuilder<unknown>) =>
      (
        await sql<{ name: string }>`select tracker.item_name || ' of ' || project.shortname as name from ${rows}
          order by tracker.id`.execute(db)
      ).rows.map(({ name }) => name)
    expect(await named(fromTracker(SAFE))).toEqual(['secret of vault'])
    expect(await named(fromTrackers([BUGS, SAFE]))).toEqual(['bug of orchard', 'secret of vault'])
    expect(await named(fromTrackers([]))).toEqual([])
    const part = sql`(values (${SAFE}::bigint)) as part (tracker_id)`
    expect(
      await named(sql`${part} ${joinTracker(sql`part.tracker_id`)} ${joinProject(sql`tracker.project_id`)}`),
    ).toEqual(['secret of vault'])
  })

  test('is open to who may administer it', async () => {
    await sql`delete from tracker_grant where kind = 'full'`.execute(db)
    const viewer = await as(UMA)
    const { rows } = await sql<{ id: number }>`
      with me as (${memberships(viewer)}) select tracker.id from ${fullyVisibleTrackers(viewer)}`.execute(db)
    expect(namesOf(rows)).toEqual(['bugs'])
  })
})
