import { describe, expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { createSecrets } from '../../platform/operation/secrets.ts'
import { relockWebhookSecrets } from './relock-secrets.ts'
import { lockSecret } from './sign.ts'
import type { WebhookId } from './webhook.ts'

const { context: world } = await startWorld()
const { db } = world
const [OLD, NEW] = ['the-old-key-of-more-than-32-characters', 'the-new-key-of-more-than-32-characters']
const [old, both, renewed] = [createSecrets([OLD]), createSecrets([NEW, OLD]), createSecrets([NEW])]
const context = { ...world, secrets: both }
const decrypt = (locked: Buffer | null | undefined) => locked && renewed.decrypt('webhook', locked)

interface StoredSecrets {
  secret?: Buffer
  old_secret?: Buffer
  old_secret_until?: Date
}

async function insertHook(given: StoredSecrets = {}): Promise<WebhookId> {
  const id = await insertTestWebhook(db)
  await db
    .updateTable('webhook')
    .set({ secret: lockSecret(old, 'sesame'), ...given })
    .where('id', '=', id)
    .execute()
  return id
}

const readSecrets = (id: WebhookId) =>
  db.selectFrom('webhook').select(['secret', 'old_secret']).where('id', '=', id).executeTakeFirstOrThrow()

describe('a rotation', () => {
  test('counts the secrets that there are: a hook without an old one has one', async () => {
    const id = await insertHook()
    expect(await relockWebhookSecrets(context, { isDryRun: true })).toEqual({ current: 0, relocked: 1, lost: [] })
    expect(await relockWebhookSecrets(context, { isDryRun: false })).toEqual({ current: 0, relocked: 1, lost: [] })
    expect(await relockWebhookSecrets(context, { isDryRun: false })).toEqual({ current: 1, relocked: 0, lost: [] })
    const { secret, old_secret } = await readSecrets(id)
    expect([decrypt(secret), old_secret]).toEqual(['sesame', null])
  })

  test.each([
    { until: new Date(TEST_NOW.getTime() + 1), kept: 'before' },
    { until: TEST_NOW, kept: null },
  ])('keeps an old secret only while it signs: until $until, $kept', async ({ until, kept }) => {
    const id = await insertHook({ old_secret: lockSecret(old, 'before'), old_secret_until: until })
    expect(await relockWebhookSecrets(context, { isDryRun: false })).toEqual({ current: 0, relocked: 2, lost: [] })
    const { secret, old_secret } = await readSecrets(id)
    expect([decrypt(secret), decrypt(old_secret)]).toEqual(['sesame', kept])
  })

  test('changes the secrets of each hook alone, and names the hooks whose secret is lost', async () => {
    const lost = await insertHook({ secret: lockSecret(createSecrets(['x'.repeat(32)]), 'lost') })
    const [one, other] = [await insertHook(), await insertHook({ secret: lockSecret(old, 'other') })]
    expect(await relockWebhookSecrets(context, { isDryRun: false })).toEqual({ current: 0, relocked: 2, lost: [lost] })
    expect([decrypt((await readSecrets(one)).secret), decrypt((await readSecrets(other)).secret)]).toEqual([
      'sesame',
      'other',
    ])
  })

  test('goes on after the first hundred hooks', async () => {
    await insertHook()
    const { id: _, ...copied } = await db.selectFrom('webhook').selectAll().executeTakeFirstOrThrow()
    await db
      .insertInto('webhook')
      .values(Array.from({ length: 100 }, () => copied))
      .execute()
    expect(await relockWebhookSecrets(context, { isDryRun: false })).toEqual({ current: 0, relocked: 101, lost: [] })
    expect(await relockWebhookSecrets(context, { isDryRun: false })).toEqual({ current: 101, relocked: 0, lost: [] })
  })

  test('does not undo the renewal of a secret that happens meanwhile', async () => {
    const id = await insertHook()
    let isRenewed = false
    const interrupted = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isRenewed)
          await db
            .updateTable('webhook')
            .set({ secret: lockSecret(renewed, 'fresh') })
            .execute()
        isRenewed = true
        return result
      },
    })
    expect(await relockWebhookSecrets({ ...context, db: interrupted }, { isDryRun: false })).toEqual({
      current: 1,
      relocked: 0,
      lost: [],
    })
    expect(decrypt((await readSecrets(id)).secret)).toBe('fresh')
  })
})
