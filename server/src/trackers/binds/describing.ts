import { sql } from 'kysely'
import { listUsersAmong } from '../../accounts/users/users-among.ts'
import { representUser } from '../../accounts/users/user.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Catalogue } from '../../platform/words/catalogue.ts'
import { DYNAMIC_GROUPS, SYSTEM_GROUPS } from '../../projects/groups/user-group-id.ts'
import type { Describing } from '../fields/field-type.ts'
import { groupIn } from '../groups-of-tracker.ts'
import { linkTypesOf } from '../link-types/link-type.ts'
import type { Sight } from '../sight.ts'
import type { Element } from '../tracker.ts'
import { openValuesOf, populationsOf } from './population.ts'
import { storedPeople } from './users-bind.ts'

/** Everything that these elements are described with; each kind of it is read once, and only where one of them needs it. */
export async function describingOf(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  { tracker, readable }: Pick<Sight, 'tracker' | 'readable'>,
  language: Catalogue,
  elements: readonly Element[] = readable,
): Promise<Describing> {
  const ofPeople = elements.filter(({ bind }) => bind?.type === 'users')
  const offering = ofPeople.filter(({ type }) => type !== 'tbl')
  const open = elements.filter(({ type, bind }) => type === 'tbl' && bind?.type === 'static')
  const populations = await populationsOf(context, db, viewer, tracker, offering)
  const chosen = await usersBy(
    context,
    db,
    viewer,
    ofPeople.flatMap((element) => storedPeople(element.default)),
  )
  const openValues = await openValuesOf(
    db,
    open.map(({ id }) => id),
  )
  const hasLinks = elements.some(({ type }) => type === 'art_link')
  const numbers = [
    ...SYSTEM_GROUPS,
    ...DYNAMIC_GROUPS,
    ...[...tracker.project.groups.keys()].toSorted((one, other) => one - other),
  ]
  return {
    context,
    viewer,
    language,
    tracker,
    group: (number) => groupIn(tracker, number, language),
    groups: numbers.flatMap((number) => {
      const group = groupIn(tracker, number, language)
      return group ? [{ number, group }] : []
    }),
    population: (field) => populations.get(field) ?? [],
    user: (id) => chosen.get(id),
    openValues: (field) => openValues.get(field) ?? [],
    linkTypes: hasLinks ? await linkTypesOf(db, tracker.project_id) : [],
  }
}

/** They are named by something that the viewer may read, so they are shown, whoever they are. */
async function usersBy(context: Context, db: Db | Tx, viewer: Viewer, ids: readonly AccountId[]) {
  if (ids.length === 0) return new Map()
  const condition = sql<boolean>`account.id = any(${ids}::bigint[])`
  const found = await listUsersAmong(db, [{ key: 'chosen', condition }], ids.length)
  return new Map((found.get('chosen') ?? []).map((row) => [row.id, representUser(context, viewer, row)]))
}
