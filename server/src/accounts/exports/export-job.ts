import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { ZipFile } from 'yazl'
import { inSnapshot, inTransaction, type Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { type ViewerRow, viewerOf } from '../account.ts'
import { viewerColumns } from '../sign-in/viewer-columns.ts'
import { isActive } from '../users/visibility.ts'
import { fillExport } from './export-file.ts'
import { linesWithin } from './lines-within.ts'

/** Gathers what a person may get about himself, keeps it, and tells him. */
export const exportJob = defineJob({
  type: 'export',
  payload: Type.Object({ account_id: Type.Integer() }),
  async run(context, payload, { request_id }) {
    const account_id = toId<AccountId>(payload.account_id)
    const now = context.clock.now()
    const content = await inSnapshot(context.db, (tx) => gather(tx, context, account_id, now))
    if (!content) return
    await inTransaction(context.db, async (tx) => {
      if (!(await fillExport(tx, account_id, content, now))) return
      const mail = { template: 'export_ready', account_id }
      await enqueueJob(tx, { type: 'mail', payload: mail, object: `users/${account_id}` }, request_id)
    })
  },
})

/** Undefined: the person cannot sign in any more, and so could not fetch it. */
async function gather(tx: Tx, context: Context, account_id: AccountId, now: Date): Promise<Buffer | undefined> {
  const { rows } = await sql<ViewerRow>`
    select ${viewerColumns} from account where account.id = ${account_id} and ${isActive}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const person = { ...viewerOf(row, { kind: 'job', id: null }), account_id }
  const made = new ZipFile()
  const { promise: failure, reject } = Promise.withResolvers<never>()
  const budget = { left: MOST_CHARACTERS }
  for (const source of context.exportSources) {
    const lines = Readable.from(linesWithin(budget, () => source.read(tx, context, person))).once('error', reject)
    made.addReadStream(lines, `${source.name}.ndjson`, { mtime: now })
  }
  made.end()
  return Promise.race([buffer(made.outputStream), failure])
}

/** Of all files together: the zip is kept in the database, and held in memory while it is made and fetched. */
const MOST_CHARACTERS = 100_000_000
