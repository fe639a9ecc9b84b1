import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import {
  ADA,
  GUS,
  MARA,
  OLGA,
  type TestPerson,
  PIA,
  RITA,
  SAM,
  TOM,
  UMA,
  VICTOR,
} from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, ORCHARD, SHADOWS } from '../../../test/fixtures/seed-ids.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { oneField } from '../../../test/fixtures/one-field.ts'
import { multiSelectBoxField } from '../field-types/multi-select-box/multi-select-box-field.ts'
import type { Element, FieldId, TrackerId, UserSource } from '../tracker.ts'
import {
  findChoosablePeople,
  createOpenValues,
  findGroupIn,
  findOpenValue,
  findOpenValues,
  openValuesOf,
  populationOf,
  populationsOf,
} from './population.ts'

const { context } = await startWorld()

const tracker = { id: toId<TrackerId>(90_001), project_id: ORCHARD }
const TAGS = toId<FieldId>(90_101)
const TOPICS = toId<FieldId>(90_102)

beforeEach(async () => {
  const { db } = context
  await sql`insert into tracker (id, project_id, item_name, label, color_name, structure, created_on)
    values (${tracker.id}, ${ORCHARD}, 'population', 'Population', 'fiesta-red', '{}', now())`.execute(db)
  await sql`insert into tracker_part (id, project_id, tracker_id, kind)
    values (${TAGS}, ${ORCHARD}, ${tracker.id}, 'element'), (${TOPICS}, ${ORCHARD}, ${tracker.id}, 'element')`.execute(
    db,
  )
})

const listOf = (...sources: UserSource[]): Element =>
  oneField(multiSelectBoxField, { bind: { type: 'users', sources } }).field
const choose = async (sources: UserSource[], wanted: readonly (number | string)[], kept: TestPerson[] = []) => {
  const ids = kept.map(({ id }) => id)
  const found = await findChoosablePeople(context, context.db, tracker, listOf(...sources), wanted, ids)
  return found.toSorted((one, other) => one.id - other.id)
}
const viewerOf = ({ id, status, is_site_admin }: TestPerson): Viewer => ({
  account_id: id,
  is_restricted: status === 'R',
  is_site_admin,
  language: null,
  time_zone: null,
})
const offered = async (...sources: UserSource[]) => {
  const users = await populationOf(context, context.db, viewerOf(MARA), tracker, listOf(...sources))
  return users.map(({ username }) => username)
}

async function addArtifact(number: number, by: TestPerson, changedBy: TestPerson, isDeleted = false): Promise<void> {
  const deleted_on = isDeleted ? new Date() : null
  await sql`
    with made as (
      insert into artifact (project_id, tracker_id, number, field_values, submitted_by, submitted_on, last_update_by,
        last_modified_date, last_modified, deleted_on)
      values (${ORCHARD}, ${tracker.id}, ${number}, '{}', ${by.id}, now(), ${changedBy.id}, now(), now(), ${deleted_on})
      returning id
    )
    insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified, changes)
    select ${ORCHARD}::bigint, made.id, ${tracker.id}::bigint, version.number, version.author, now(), now(), '{}'
    from made, (values (1, ${by.id}::bigint), (2, ${changedBy.id}::bigint)) as version (number, author)`.execute(
    context.db,
  )
}

describe('people who can be chosen', () => {
  test.each([
    { sources: [3], people: ['mara', 'tom', 'uma'] },
    { sources: [4], people: ['mara'] },
    { sources: [LEADS], people: ['gus', 'uma'] },
    { sources: [SHADOWS], people: ['gus', 'uma'] },
    { sources: [4, LEADS], people: ['gus', 'mara', 'uma'] },
    { sources: [19], people: [] },
    { sources: [KEEPERS], people: [] },
    { sources: ['registered_users' as const], people: [] },
    { sources: ['registered_users' as const, 4], people: ['mara'] },
    { sources: [], people: [] },
  ])('$people are offered by $sources', async ({ sources, people }) => {
    expect(await offered(...sources)).toEqual(people)
  })

  test('include svn administrators', async () => {
    await sql`update project_member set is_svn_admin = true where account_id = ${TOM.id}`.execute(context.db)
    expect(await offered(19)).toEqual(['tom'])
  })

  test('include submitters and modifiers of artifacts that are not deleted', async () => {
    await addArtifact(1, OLGA, VICTOR)
    await addArtifact(2, ADA, GUS, true)
    await addArtifact(3, SAM, RITA)
    expect(await offered('artifact_submitters')).toEqual(['olga'])
    expect(await offered('artifact_modifiers')).toEqual(['olga', 'rita', 'victor'])
    expect(await choose(['artifact_submitters'], ['olga', 'victor'])).toEqual([{ wanted: 'olga', id: OLGA.id }])
  })

  test('are found by id, login and address', async () => {
    expect(await choose([3], [TOM.id, 'MARA', UMA.email.toUpperCase(), SAM.id, GUS.id, 'nobody', 4_000_000])).toEqual([
      { wanted: 'MARA', id: MARA.id },
      { wanted: TOM.id, id: TOM.id },
      { wanted: UMA.email.toUpperCase(), id: UMA.id },
    ])
  })

  test('are all found by a shared address, unless it is a login', async () => {
    await sql`update account set email = 'tom' where id in (${UMA.id}, ${MARA.id})`.execute(context.db)
    expect(await choose([3], ['tom'])).toEqual([{ wanted: 'tom', id: TOM.id }])
    expect(await choose([4, LEADS], ['tom'])).toEqual([
      { wanted: 'tom', id: MARA.id },
      { wanted: 'tom', id: UMA.id },
    ])
  })

  test('include all registered users if they are a source, but no restricted, suspended or pending ones', async () => {
    const everybody = [OLGA, ADA, RITA, SAM, PIA].map(({ id }) => id)
    expect(await choose(['registered_users'], everybody)).toEqual([
      { wanted: ADA.id, id: ADA.id },
      { wanted: OLGA.id, id: OLGA.id },
    ])
  })

  test('stay in the field if they are stored, even after losing access', async () => {
    expect(await choose([3], [SAM.id, 'sam', OLGA.id], [SAM])).toEqual([
      { wanted: SAM.id, id: SAM.id },
      { wanted: 'sam', id: SAM.id },
    ])
  })

  test('are empty for a list that is not bound to users', async () => {
    const { field } = oneField(multiSelectBoxField)
    expect(await findChoosablePeople(context, context.db, tracker, field, [TOM.id])).toEqual([])
  })

  test('are limited for restricted users to people they can see', async () => {
    const seen = await populationOf(context, context.db, viewerOf(RITA), tracker, listOf(3))
    expect(seen).toEqual([])
    const anonymous = await populationOf(context, context.db, { language: null, time_zone: null }, tracker, listOf(4))
    expect(anonymous).toEqual([])
  })

  test('are listed for each field separately', async () => {
    const [one, other] = [listOf(4), { ...listOf(LEADS), id: TAGS }]
    const found = await populationsOf(context, context.db, viewerOf(MARA), tracker, [one, other])
    expect([...found].map(([field, users]) => [field, users.map(({ username }) => username)])).toEqual([
      [one.id, ['mara']],
      [TAGS, ['gus', 'uma']],
    ])
  })
})

describe('a group of the project', () => {
  const project = {
    id: ORCHARD,
    shortname: 'orchard',
    label: 'Orchard',
    icon: '',
    status: 'active',
    rights_epoch: 1,
    groups: new Map([[LEADS, { id: LEADS, short_name: 'Leads' }]]),
    itemNames: new Map(),
  } as const

  test.each([
    { given: `${ORCHARD}_3`, byName: false, found: 3 },
    { given: String(LEADS), byName: false, found: LEADS },
    { given: `${ORCHARD}_${LEADS}`, byName: false, found: LEADS },
    { given: 'project_admins', byName: true, found: 4 },
    { given: 'leads', byName: true, found: LEADS },
    { given: '3', byName: false, found: undefined },
    { given: '2', byName: false, found: undefined },
    { given: `2002_3`, byName: false, found: undefined },
    { given: String(KEEPERS), byName: false, found: undefined },
    { given: 'leads', byName: false, found: undefined },
    { given: 'Project members', byName: true, found: undefined },
    { given: 'registered_users', byName: true, found: undefined },
  ])('$given is $found', ({ given, byName, found }) => {
    expect(findGroupIn({ project }, given, byName)).toBe(found)
  })
})

describe('open values', () => {
  const create = (field: FieldId, ...labels: string[]) =>
    inTransaction(context.db, (tx) => createOpenValues(tx, tracker, field, labels))

  test('are created once, ignoring case', async () => {
    const first = await create(TAGS, 'valve', 'Cold start')
    expect([...first.keys()].toSorted()).toEqual(['Cold start', 'valve'])
    const again = await create(TAGS, 'VALVE', 'pump', 'Pump')
    expect(again.get('VALVE')).toEqual(first.get('valve'))
    expect(again.get('pump')?.id).toBe(again.get('Pump')?.id)
    expect(await findOpenValue(context.db, TAGS, { label: 'cold START' })).toEqual(first.get('Cold start'))
  })

  test('belong to one field', async () => {
    const { valve } = Object.fromEntries(await create(TAGS, 'valve'))
    expect(await findOpenValue(context.db, TAGS, { id: valve?.id ?? 0 })).toEqual(valve)
    expect(await findOpenValue(context.db, TOPICS, { id: valve?.id ?? 0 })).toBeUndefined()
    expect(await findOpenValue(context.db, TOPICS, { label: 'valve' })).toBeUndefined()
    expect(await findOpenValues(context.db, TOPICS, ['valve'])).toEqual(new Map())
    expect(await findOpenValues(context.db, TAGS, [])).toEqual(new Map())
  })

  test('are listed in the order of their labels', async () => {
    await create(TAGS, 'v10', 'V9', 'éclair')
    await create(TOPICS, 'other')
    const listed = await openValuesOf(context.db, [TAGS, TOPICS])
    expect(listed.get(TAGS)?.map(({ label }) => label)).toEqual(['éclair', 'V9', 'v10'])
    expect(listed.get(TOPICS)).toHaveLength(1)
    expect(await openValuesOf(context.db, [])).toEqual(new Map())
  })

  test('that two people add concurrently become one value', async () => {
    const made = await Promise.all([create(TAGS, 'a', 'b'), create(TAGS, 'B', 'A'), create(TAGS, 'b', 'a')])
    const ids = new Set(made.flatMap((each) => [...each.values()].map(({ id }) => id)))
    expect(ids.size).toBe(2)
  })
})
