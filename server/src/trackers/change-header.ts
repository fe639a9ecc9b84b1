import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { aliases } from '../platform/database/aliases.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { joinProject } from '../projects/project-sql.ts'
import { PALETTE, readColor } from './palette.ts'
import type { TrackerHeader } from './store-tracker.ts'
import type { TrackerAccess } from './tracker-access.ts'
import type { TrackerId } from './tracker.ts'
import { maySeeTracker } from './visibility.ts'

/** The members of a tracker that can be changed without its whole definition. */
export const HeaderChanges = {
  label: Type.Optional(Type.String({ trim: true, minLength: 1, maxLength: 255 })),
  item_name: Type.Optional(
    Type.String({ maxLength: 255, description: 'Letters, digits and `_`; unique in the project. Begins references.' }),
  ),
  description: Type.Optional(Type.String({ maxLength: 65_535 })),
  color_name: Type.Optional(Type.String({ description: 'A colour of the palette.' })),
  parent: Type.Optional(
    Type.Union([Type.Object({ id: Type.Integer({ minimum: 1 }) }), Type.Null()], {
      description: 'A tracker of the same project, or null for none.',
    }),
  ),
}
const Header = Type.Object(HeaderChanges)
export type HeaderChanges = Static<typeof Header>

export function hasHeaderChanges(given: HeaderChanges): boolean {
  return Object.keys(HeaderChanges).some((name) => name in given)
}

/** The changed members, checked. The caller holds the lock on the trackers of the project. */
export async function readHeaderChanges(
  tx: Tx,
  access: TrackerAccess,
  { label, item_name, description, color_name, parent }: HeaderChanges,
): Promise<Partial<TrackerHeader>> {
  if (item_name !== undefined && !/^[a-zA-Z0-9_]+$/.test(item_name))
    throw new ApiError('name_invalid', { path: 'item_name', rule: 'pattern' })
  const color = color_name === undefined ? undefined : readColor(color_name)
  if (color_name !== undefined && color === undefined)
    throw new ApiError('parameter_not_allowed', { path: 'color_name', rule: 'one_of', allowed: PALETTE })
  return {
    ...(label !== undefined && { label }),
    ...(item_name !== undefined && { item_name }),
    ...(description !== undefined && { description }),
    ...(color !== undefined && { color_name: color }),
    ...(parent !== undefined && { parent_id: parent && (await findParent(tx, access, parent.id)) }),
  }
}

/** A tracker of the same project that the caller sees; 400 if the tracker is among its ancestors. */
async function findParent(tx: Tx, { tracker, viewer }: TrackerAccess, id: number): Promise<TrackerId> {
  const { rows } = await sql<{ id: TrackerId; is_below: boolean }>`
    with recursive above (id) as (
      select ${id}::bigint
      union select above_it.parent_id from above join tracker above_it on above_it.id = above.id
      where above_it.parent_id is not null)
    select tracker.id, ${tracker.id}::bigint in (select above.id from above) as is_below
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.id = ${id} and tracker.project_id = ${tracker.project_id}
      and ${maySeeTracker(viewer, aliases('tracker', 'project'))}`.execute(tx)
  const [found] = rows
  if (!found) throw new ApiError('reference_unknown', { path: 'parent.id', rule: 'exists' })
  if (found.is_below) throw new ApiError('parameter_conflict', { path: 'parent.id' })
  return found.id
}
