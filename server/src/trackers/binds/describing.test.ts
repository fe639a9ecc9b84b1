import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { GUS, MARA, SAM } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD, SHADOWS } from '../../../test/fixtures/seed-ids.ts'
import { oneField } from '../../../test/fixtures/one-field.ts'
import { toId } from '../../platform/database/ids.ts'
import { english } from '../../platform/messages/english.ts'
import { artifactLinksField } from '../field-types/artifact-links/artifact-links-field.ts'
import { multiSelectBoxField } from '../field-types/multi-select-box/multi-select-box-field.ts'
import { openListField } from '../field-types/open-list/open-list-field.ts'
import { stringField } from '../field-types/string/string-field.ts'
import type { Element, FieldId, TrackerId } from '../tracker.ts'
import { describingOf } from './describing.ts'

const { context } = await startWorld()

const TRACKER = toId<TrackerId>(90_001)
const TAGS = toId<FieldId>(90_101)
const viewer = { account_id: MARA.id, language: null, time_zone: null }

const people = oneField(multiSelectBoxField, { bind: { type: 'users', sources: [LEADS] }, initial: [SAM.id] }).field
const tags: Element = {
  ...oneField(openListField, { bind: { type: 'static', alphabetical: false, values: [] } }).field,
  id: TAGS,
}
const links: Element = { ...oneField(artifactLinksField).field, id: toId<FieldId>(90_102) }

beforeEach(async () => {
  const { db } = context
  await sql`insert into tracker (id, project_id, item_name, label, color_name, structure, created_on)
    values (${TRACKER}, ${ORCHARD}, 'described', 'Described', 'fiesta-red', '{"elements": []}', now())`.execute(db)
  await sql`insert into tracker_part (id, project_id, tracker_id, kind)
    values (${TAGS}, ${ORCHARD}, ${TRACKER}, 'element')`.execute(db)
  await sql`insert into open_value (project_id, tracker_id, field_id, label)
    values (${ORCHARD}, ${TRACKER}, ${TAGS}, 'valve')`.execute(db)
})

async function describe(elements: readonly Element[]) {
  const tracker = await context.trackers.now(context.db, TRACKER)
  if (!tracker) throw new Error('There is no tracker.')
  return describingOf(context, context.db, viewer, { tracker, readable: elements }, english)
}

test('a structure is described with the people, values, groups and types of links that it needs', async () => {
  const describing = await describe([people, tags, links])
  expect(describing.population(people.id).map(({ username }) => username)).toEqual(['gus', 'uma'])
  expect(describing.user(SAM.id)).toMatchObject({ username: 'sam', status: 'S' })
  expect(describing.user(GUS.id)).toBeUndefined()
  expect(describing.openValues(TAGS)).toEqual([{ field_id: TAGS, id: expect.any(Number), label: 'valve' }])
  expect(describing.linkTypes).toEqual([{ shortname: '_is_child', forward_label: 'Child', reverse_label: 'Parent' }])
})

test('groups are listed in order: platform groups, built-in project groups, custom groups', async () => {
  const describing = await describe([])
  expect(describing.groups.map(({ number }) => number)).toEqual([1, 2, 5, 100, 3, 4, 19, LEADS, SHADOWS])
  expect(describing.group(LEADS)?.short_name).toBe('leads')
  expect(describing.group(999_999)).toBeUndefined()
})

test('the database is not queried if no element needs it', async () => {
  const tracker = await context.trackers.now(context.db, TRACKER)
  if (!tracker) throw new Error('There is no tracker.')
  const unreachable = context.db.withPlugin({
    transformQuery: () => {
      throw new Error('A statement.')
    },
    transformResult: async ({ result }) => result,
  })
  const elements = [oneField(stringField).field]
  const describing = await describingOf(context, unreachable, viewer, { tracker, readable: elements }, english)
  expect(describing.linkTypes).toEqual([])
  await expect(describingOf(context, unreachable, viewer, { tracker, readable: [links] }, english)).rejects.toThrow(
    'A statement.',
  )
})
