import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { NURSERY, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { linkTypeRules } from './link-type-rules.ts'
import { linkTypesOf } from './link-type.ts'

const { context } = await startWorld()

beforeEach(async () => {
  await sql`insert into link_type (shortname, forward_label, reverse_label, is_reserved)
    values ('fixed_in', 'Fixed in', 'Fixes', false), ('covered', 'Covered by', 'Covers', true)`.execute(context.db)
})

afterEach(async () => {
  await sql`delete from disabled_link_type`.execute(context.db)
  await sql`delete from link_type where not is_system`.execute(context.db)
})

const disable = (...shortnames: string[]) =>
  sql`insert into disabled_link_type (project_id, shortname)
    select ${ORCHARD}, shortname from unnest(${shortnames}::text[]) as shortname`.execute(context.db)
const namesIn = async (project: number) => (await linkTypesOf(context.db, project)).map(({ shortname }) => shortname)

test('the types of a project start with those of the platform', async () => {
  expect(await namesIn(ORCHARD)).toEqual(['_is_child', 'covered', 'fixed_in'])
  expect((await linkTypesOf(context.db, ORCHARD))[2]).toEqual({
    shortname: 'fixed_in',
    forward_label: 'Fixed in',
    reverse_label: 'Fixes',
  })
})

test('a project can disable a type, but not those of the platform', async () => {
  await disable('fixed_in', '_is_child')
  expect(await namesIn(ORCHARD)).toEqual(['_is_child', 'covered'])
  expect(await namesIn(NURSERY)).toEqual(['_is_child', 'covered', 'fixed_in'])
})

test('users may write links of a type unless it is reserved or disabled', async () => {
  await disable('fixed_in', '_is_child')
  const rules = await linkTypeRules(context.db, ORCHARD)
  expect(rules.get('_is_child')).toMatchObject({ is_reserved: false, is_disabled: false })
  expect(rules.get('covered')).toMatchObject({ is_reserved: true, is_disabled: false })
  expect(rules.get('fixed_in')).toMatchObject({ is_reserved: false, is_disabled: true })
  expect(rules.get('unknown')).toBeUndefined()
})
