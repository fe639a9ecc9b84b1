import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Eraser } from '../../../accounts/users/erase-user.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { refreshPeople } from './write-archive.ts'

/** Orders that archives forget the name of a person who is erased. */
export const eraseInArchives = follow('erase')

/** Orders that archives take the new name of a person. */
export const renameInArchives = follow('rename')

/** They go by what the account says when they run: so the last name counts, in whichever order they do. */
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
