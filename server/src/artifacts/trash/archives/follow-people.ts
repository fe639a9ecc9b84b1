import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Eraser } from '../../../accounts/users/erase-user.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { refreshPeople } from './write-archive.ts'

/** Queues the removal of an erased person's name from archives. */
export const eraseInArchives = follow('erase')

/** Queues the update of a person's name in archives. */
export const renameInArchives = follow('rename')

/** The jobs read the account when they run, so the last name wins in any order. */
export const archivePeopleJobs = (['erase', 'rename'] as const).map((type) =>
  defineJob({
    type,
    payload: Type.Object({ account_id: Type.Integer() }),
    async run(context, { account_id }) {
      const { db } = context
      for (const id of await findNaming(db, account_id)) await inTransaction(db, (tx) => refreshPeople(context, tx, id))
    },
  }),
)

function follow(type: 'erase' | 'rename'): Eraser {
  return async (work, account) => {
    const naming = await findNaming(work.tx, account)
    if (naming.length > 0) await work.enqueue({ type, payload: { account_id: account }, object: `users/${account}` })
  }
}

async function findNaming(db: Db | Tx, account: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from artifact_archive where people @> ${JSON.stringify([{ id: account }])}::jsonb order by id`.execute(db)
  return rows.map(({ id }) => id)
}
