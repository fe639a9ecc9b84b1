import { sql } from 'kysely'
import { listUsersAmong } from '../../accounts/users/users-among.ts'
import { representUser } from '../../accounts/users/user.ts'
import { maySee } from '../../accounts/users/visibility.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import { DYNAMIC_GROUPS, SYSTEM_GROUPS } from '../../projects/groups/user-group-id.ts'
import type { Describing } from '../field-types/field-type.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { groupIn } from '../groups-of-tracker.ts'
import { linkTypesOf } from '../link-types/link-type.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Element } from '../tracker.ts'
import { openValuesOf, populationsOf } from './population.ts'
import { storedPeople } from './users-bind.ts'

/** Loads everything that the descriptions of these elements need; each kind is loaded once, and only if needed. */
export async function describingOf(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  { tracker, readable }: Pick<TrackerAccess, 'tracker' | 'readable'>,
  language: Catalogue,
  elements: readonly Element[] = readable,
): Promise<Describing> {
  const ofPeople = elements.filter(({ bind }) => bind?.type === 'users')
  const offering = ofPeople.filter((element) => fieldTypeOf(element).list !== 'open')
  const open = elements.filter((element) => fieldTypeOf(element).list === 'open' && element.bind?.type === 'static')
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
  const hasLinks = elements.some((element) => fieldTypeOf(element).holdsLinks)
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

/** The definition that names these accounts is readable by the viewer, so every signed-in viewer sees them. */
async function usersBy(context: Context, db: Db | Tx, viewer: Viewer, ids: readonly AccountId[]) {
  if (ids.length === 0) return new Map()
  const isShown = viewer.account_id === undefined ? maySee(context, viewer) : sql`true`
  const condition = sql<boolean>`account.id = any(${ids}::bigint[]) and ${isShown}`
  const found = await listUsersAmong(db, [{ key: 'chosen', condition }], ids.length)
  return new Map((found.get('chosen') ?? []).map((row) => [row.id, representUser(context, viewer, row)]))
}
