import type { Context } from '../../src/platform/operation/context.ts'

/** The audit rows of one action, oldest first. */
export async function audited({ db }: Context, action: string, outcome: 'done' | 'refused' = 'done') {
  return db
    .selectFrom('audit')
    .select([
      'actor_id',
      'credential_kind',
      'credential_id',
      'address',
      'object',
      'project_id',
      'before',
      'after',
      'reason',
    ])
    .where('action', '=', action)
    .where('outcome', '=', outcome)
    .orderBy('id')
    .execute()
}
