import { sql } from 'kysely'
import { Type } from 'typebox'
import type { NamedObject } from '../../../artifacts/object-kinds.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { type Level, LevelSchema } from '../level.ts'
import { loadNotificationSettings } from '../settings/settings.ts'

export const WatchSchema = Type.Object(
  {
    level: LevelSchema,
    inherited_from: nullable(
      Type.String({
        description:
          'The address of the object or settings that this level is inherited from; null: it was chosen for this object.',
      }),
    ),
  },
  { title: 'Watch' },
)

export function watchedObjectAddress({ kind, id }: NamedObject): string {
  return `${kind}s/${id}`
}

/** The level that applies to the first of these objects, and where it is inherited from. */
export async function effectiveLevel(
  db: Db | Tx,
  account: AccountId,
  objects: readonly NamedObject[],
): Promise<{ level: Level; inherited_from: string | null }> {
  const chosen = await findChosenLevels(db, account, objects)
  for (const [far, object] of objects.entries()) {
    const level = chosen.get(watchedObjectAddress(object))
    if (level) return { level, inherited_from: far === 0 ? null : watchedObjectAddress(object) }
  }
  const { default_level } = await loadNotificationSettings(db, account)
  return { level: default_level, inherited_from: 'users/self/notification_settings' }
}

async function findChosenLevels(
  db: Db | Tx,
  account: AccountId,
  objects: readonly NamedObject[],
): Promise<ReadonlyMap<string, Level>> {
  const { rows } = await sql<NamedObject & { level: Level }>`
    select watch.kind, watch.object_id as id, watch.level from watch
      join unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ id }) => id)}::bigint[])
        as around (kind, id) on watch.kind = around.kind and watch.object_id = around.id
    where watch.account_id = ${account}`.execute(db)
  return new Map(rows.map((row) => [watchedObjectAddress(row), row.level]))
}
