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

/** Gathers what a person may get about himself, keeps it, and tells him. */
export const exportJob = defineJob({
  type: 'export',
  payload: Type.Object({ account_id: Type.Integer() }),
  async run(context, payload, { request_id }) {
    const account_id = toId<AccountId>(payload.account_id)
    const files = await inSnapshot(context.db, (tx) => gather(tx, context, account_id))
    if (!files) return
    const now = context.clock.now()
    const content = await zip(files, now)
    await inTransaction(context.db, async (tx) => {
      if (!(await fillExport(tx, account_id, content, now))) return
      const mail = { template: 'export_ready', account_id }
      await enqueueJob(tx, { type: 'mail', payload: mail, object: `users/${account_id}` }, request_id)
    })
  },
})

/** Undefined: the person cannot sign in any more, and so could not fetch it. */
async function gather(tx: Tx, context: Context, account_id: AccountId): Promise<Map<string, string> | undefined> {
  const { rows } = await sql<ViewerRow>`
    select ${viewerColumns} from account where account.id = ${account_id} and ${isActive}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const person = { ...viewerOf(row, { kind: 'job', id: null }), account_id }
  const files = new Map<string, string>()
  for (const source of context.exportSources) {
    const lines = await source.read(tx, context, person)
    files.set(`${source.name}.ndjson`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  return files
}

function zip(files: ReadonlyMap<string, string>, mtime: Date): Promise<Buffer> {
  const made = new ZipFile()
  for (const [name, text] of files) made.addBuffer(Buffer.from(text), name, { mtime })
  made.end()
  return buffer(made.outputStream)
}
