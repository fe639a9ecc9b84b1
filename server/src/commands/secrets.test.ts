import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { HOOK } from '../../test/fixtures/seed-ids.ts'
import { callCommand } from '../../test/harness/run-command.ts'
import { seedTestArtifacts } from '../../test/fixtures/seed-artifacts.ts'
import { relockWebhookSecrets } from '../feed/webhooks/relock-secrets.ts'
import { lockSecret, signBody } from '../feed/webhooks/sign.ts'
import { createSecrets } from '../platform/operation/secrets.ts'

const [OLD, NEW] = ['the-old-key-of-more-than-32-characters', 'the-new-key-of-more-than-32-characters']
const SIGNED = { message: 'message', body: 'body' }
const HOOKS = Object.values(HOOK)
const { context, clock } = await startWorld()
const environment = {
  WAYPOST_DATABASE_URL: context.config.WAYPOST_DATABASE_URL,
  WAYPOST_SECRET_KEYS: `${NEW},${OLD}`,
}
const rotate = (...args: string[]) => callCommand(environment, ['secrets', 'rotate', ...args])
const secretOf = (id: number) => `secret of ${id}`
const stored = () =>
  context.db.selectFrom('webhook').select(['id', 'secret', 'old_secret', 'old_secret_until']).orderBy('id').execute()
const opens = async (...keys: string[]) => {
  const rows = await stored()
  return rows.filter((row) => {
    try {
      return signBody(createSecrets(keys), row, SIGNED, clock.now()).own !== ''
    } catch {
      return false
    }
  }).length
}

beforeEach(async () => {
  await seedTestArtifacts(context.db)
  const secrets = createSecrets([OLD])
  for (const id of HOOKS)
    await sql`update webhook set secret = ${lockSecret(secrets, secretOf(id))},
      old_secret = ${lockSecret(secrets, `old ${secretOf(id)}`)}, old_secret_until = '2099-01-01' where id = ${id}`.execute(
      context.db,
    )
})

test('B06 after the rotation a leaked key decrypts nothing, and is no longer needed', async () => {
  expect(await opens(OLD)).toBe(HOOKS.length)
  const [before] = await stored()
  const signature = before && signBody(createSecrets([OLD]), before, SIGNED, clock.now())

  expect(await rotate()).toEqual({
    code: 0,
    err: '',
    out: `Re-encrypted: ${HOOKS.length * 2} secrets of webhooks.\nEncrypted with the first key already: 0.\n`,
  })

  expect(await opens(OLD)).toBe(0)
  expect(await opens(NEW)).toBe(HOOKS.length)
  const [after] = await stored()
  expect(after && signBody(createSecrets([NEW]), after, SIGNED, clock.now())).toEqual(signature)
  const { rows } = await sql`select credential_kind, after from audit where action = 'secrets.rotate'`.execute(
    context.db,
  )
  expect(rows).toEqual([
    { credential_kind: 'command_line', after: { current: 0, relocked: HOOKS.length * 2, lost: [] } },
  ])
})

test('B06/again an interrupted rotation continues where it stopped', async () => {
  let writes = 0
  const db = context.db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'UpdateQueryNode' && ++writes > 3) throw new Error('The power went out.')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const both = { ...context, db, secrets: createSecrets([NEW, OLD]) }
  await expect(relockWebhookSecrets(both, { isDryRun: false })).rejects.toThrow('The power went out.')
  expect(await opens(NEW)).toBe(1) // Both secrets of the first hook, and one of the second.
  expect(await opens(NEW, OLD)).toBe(HOOKS.length) // Nothing is lost in between.

  expect((await rotate()).code).toBe(0)
  expect(await opens(NEW)).toBe(HOOKS.length)
  expect((await rotate()).out).toBe(
    `Re-encrypted: 0 secrets of webhooks.\nEncrypted with the first key already: ${HOOKS.length * 2}.\n`,
  )
})

test('a dry run counts, and changes nothing', async () => {
  const before = await stored()
  expect((await rotate('--dry-run')).out).toContain(`To re-encrypt: ${HOOKS.length * 2} secrets`)
  expect(await stored()).toEqual(before)
})

test('a secret that no key decrypts is named, and the others are rotated', async () => {
  await sql`update webhook set secret = ${lockSecret(createSecrets(['x'.repeat(32)]), 'lost')} where id = ${HOOK.bugs}`.execute(
    context.db,
  )
  const { code, out } = await rotate()
  expect(code).toBe(1)
  expect(out).toContain(`None of the keys opens the secret of webhook ${HOOK.bugs}`)
  expect(await opens(NEW)).toBe(HOOKS.length - 1)
})

test('an old secret that no longer signs is removed', async () => {
  await sql`update webhook set old_secret_until = '2026-01-01'`.execute(context.db)
  await rotate()
  expect((await stored()).filter(({ old_secret }) => old_secret !== null)).toEqual([])
})

test('more webhooks than a batch holds are all rotated', async () => {
  const locked = lockSecret(createSecrets([OLD]), 'many')
  await sql`update webhook set secret = ${locked}, old_secret = null`.execute(context.db)
  const { id: _, ...copied } = await context.db
    .selectFrom('webhook')
    .selectAll()
    .where('id', '=', HOOK.bugs)
    .executeTakeFirstOrThrow()
  await context.db
    .insertInto('webhook')
    .values(Array.from({ length: 100 }, () => copied))
    .execute()
  expect((await rotate()).out).toContain(`Re-encrypted: ${HOOKS.length + 100} secrets`)
  expect(await opens(OLD)).toBe(0)
})
