import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { endSessionsAndTokens } from './end-sessions.ts'

const { context } = await startWorld()
const { db } = context

test.each([
  { asking: undefined, left: ['marastoken', 'maras'] },
  { asking: 'toms second', left: ['marastoken', 'maras', 'toms second'] },
])('every session and token of the account ends, but for $asking; those of others stay', async ({ asking, left }) => {
  await sql`insert into session (id, digest, account_id, created_on, last_used_on) values
    ('toms', ${digest(1)}, ${TOM.id}, ${TEST_NOW}, ${TEST_NOW}), ('toms second', ${digest(2)}, ${TOM.id}, ${TEST_NOW}, ${TEST_NOW}),
    ('maras', ${digest(3)}, ${MARA.id}, ${TEST_NOW}, ${TEST_NOW})`.execute(db)
  await sql`insert into token (digest, account_id, created_on) values
    (${digest(1)}, ${TOM.id}, ${TEST_NOW}), (${digest(2)}, ${MARA.id}, ${TEST_NOW})`.execute(db)

  await inTransaction(db, (tx) => endSessionsAndTokens(tx, TOM.id, asking))

  const { rows } = await sql<{ name: string }>`select id as name from session
    union all select account.login || 'stoken' from token join account on account.id = token.account_id`.execute(db)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(left.toSorted())
})

function digest(number: number): Buffer {
  return Buffer.alloc(32, number)
}
