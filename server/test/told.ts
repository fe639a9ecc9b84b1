import type { Context } from '../src/platform/operation/context.ts'

/** What the feed was told of one type, oldest first. */
export async function told({ db }: Context, type: string) {
  return db
    .selectFrom('event')
    .select(['object', 'project_id', 'actor_id', 'payload'])
    .where('type', '=', type)
    .orderBy('id')
    .execute()
}
