import type { Context } from '../../src/platform/operation/context.ts'

/** The recorded events of one type, oldest first. */
export async function recordedEvents({ db }: Context, type: string) {
  return db
    .selectFrom('event')
    .select(['object', 'project_id', 'actor_id', 'payload'])
    .where('type', '=', type)
    .orderBy('id')
    .execute()
}
