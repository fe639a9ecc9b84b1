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
import { type ViewerRow, toViewer } from '../account.ts'
import { viewerColumns } from '../sign-in/viewer-columns.ts'
import { isActive } from '../users/visibility.ts'
import { fillExport } from './export-file.ts'
import { linesWithinBudget } from './lines-within-budget.ts'

/** Collects the personal data of an account, stores the file, and notifies the owner. */
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

/** Undefined if the account can no longer sign in, and so could not download it. */
async function gather(tx: Tx, context: Context, account_id: AccountId, now: Date): Promise<Buffer | undefined> {
  const { rows } = await sql<ViewerRow>`
    select ${viewerColumns} from account where account.id = ${account_id} and ${isActive}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const person = { ...toViewer(row, { kind: 'job', id: null }), account_id }
  const made = new ZipFile()
  const { promise: failure, reject } = Promise.withResolvers<never>()
  const budget = { left: MAX_EXPORT_CHARACTERS }
  for (const source of context.exportSources) {
    const lines = Readable.from(linesWithinBudget(budget, () => source.read(tx, context, person))).once('error', reject)
    made.addReadStream(lines, `${source.name}.ndjson`, { mtime: now })
  }
  made.end()
  return Promise.race([buffer(made.outputStream), failure])
}

/** Limit for all files together: the zip is stored in the database, and held in memory while it is built and sent. */
const MAX_EXPORT_CHARACTERS = 100_000_000
