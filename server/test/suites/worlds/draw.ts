import { sql } from 'kysely'
import type { RepeatableRandom } from '../fuzz/random.ts'
import { ADA, MARA, type TestPerson, VICTOR } from '../../fixtures/people.ts'
import { ACCOUNTS, type Block, call, type WorldEnvironment, type HookOfBlock, type Site } from './fixture.ts'

/** Draws the members of projects and groups, and the access to both projects. */
export async function drawRights(
  { api, context }: Pick<WorldEnvironment, 'api' | 'context'>,
  { left, right }: Site,
  random: RepeatableRandom,
): Promise<void> {
  const some = (...always: TestPerson[]) => ({
    user_references: [...always, ...ACCOUNTS.filter((each) => !always.includes(each) && random.chance(0.4))].map(
      ({ id }) => ({ id }),
    ),
  })
  await call(api, 'PUT', `/user_groups/${left.project}_3/users`, some(MARA))
  await call(api, 'PUT', `/user_groups/${right.project}_3/users`, some(VICTOR))
  await call(api, 'PUT', `/user_groups/${left.group}/users`, some())
  await call(api, 'PUT', `/user_groups/${right.group}/users`, some())
  const drawn = [left, right].map(({ project: id }) => ({
    id,
    access: random.pick(['public', 'private', 'unrestricted', 'private-wo-restr']),
  }))
  await sql`
    update project set access = drawn.access, rights_epoch = rights_epoch + 1
    from jsonb_to_recordset(${JSON.stringify(drawn)}::jsonb) as drawn (id bigint, access text)
    where project.id = drawn.id`.execute(context.db)
}

export interface HookReader {
  readonly owner: TestPerson
  readonly as_user: TestPerson | null
}

/** Hooks get random owners, as if each owner had created the hook while they had the rights for it. */
export function drawHookReaders({ hooks }: Block, random: RepeatableRandom): Map<HookOfBlock, HookReader> {
  const readers = new Map<HookOfBlock, HookReader>()
  for (const hook of hooks) {
    const owner = random.pickAny([...ACCOUNTS, MARA, MARA, ADA]) ?? MARA
    const other = owner === ADA ? (random.pickAny(ACCOUNTS) ?? MARA) : owner
    readers.set(hook, { owner, as_user: hook.isOfProject || random.chance(0.3) ? other : null })
  }
  return readers
}

/** Stores the readers, empties the logs, and lets every hook continue from now. */
export async function restartHooks(
  { context }: WorldEnvironment,
  readers: ReadonlyMap<HookOfBlock, HookReader>,
): Promise<void> {
  const drawn = [...readers].map(([{ id }, { owner, as_user }]) => ({
    id,
    owner_id: owner.id,
    as_user: as_user?.id ?? null,
  }))
  await sql`
    update webhook set owner_id = drawn.owner_id, as_user = drawn.as_user, active = true, state = 'ok',
      state_reason = null, failures = 0, failing_since = null, held_until = null,
      place_position = feed_horizon(), place_xid = pg_snapshot_xmin(pg_current_snapshot()), place_id = 0
    from jsonb_to_recordset(${JSON.stringify(drawn)}::jsonb) as drawn (id bigint, owner_id bigint, as_user bigint)
    where webhook.id = drawn.id`.execute(context.db)
  await sql`delete from webhook_delivery where webhook_id = any(${drawn.map(({ id }) => id)}::bigint[])`.execute(
    context.db,
  )
}

/** The worlds share accounts, and after 200 mails within an hour an account would get a digest instead. */
export async function resetMailLimit({ context }: WorldEnvironment): Promise<void> {
  await sql`update notice_mail set planned_on = planned_on - interval '1 hour'
    where planned_on > ${context.clock.now()}::timestamptz - interval '1 hour'`.execute(context.db)
}

/** A mail that waits for a digest would not be judged. */
export async function assertNoMailIsHeldBack({ context }: WorldEnvironment): Promise<void> {
  const { rows } = await sql<{ held: number }>`
    select count(*) as held from notice_mail where digest_on is not null and handed_over_on is null`.execute(context.db)
  const held = rows[0]?.held ?? 0
  if (held > 0) throw new Error(`${held} mails wait for a digest.`)
}
