import type { Context } from '../../platform/operation/context.ts'
import { relockSecret } from './sign.ts'
import type { WebhookId } from './webhook.ts'

const BATCH_SIZE = 100

export interface RelockReport {
  /** Secrets that the first key decrypts already. */
  current: number
  /** Includes expired old secrets, which are deleted instead. */
  relocked: number
  /** Webhooks whose secret none of the keys decrypts. */
  lost: WebhookId[]
}

/**
 * Encrypts the secrets of all webhooks with the first key. Each row is a compare-and-swap of its own, so that the run
 * can be interrupted and repeated while servers change secrets.
 */
export async function relockWebhookSecrets(
  context: Context,
  { isDryRun }: { isDryRun: boolean },
): Promise<RelockReport> {
  const report: RelockReport = { current: 0, relocked: 0, lost: [] }
  let after: WebhookId | undefined
  for (;;) {
    const rows = await context.db
      .selectFrom('webhook')
      .select(['id', 'secret', 'old_secret', 'old_secret_until'])
      .where((row) => (after === undefined ? row.lit(true) : row('id', '>', after)))
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    for (const row of rows) await relockRow(context, row, isDryRun, report)
    after = rows.at(-1)?.id
    if (after === undefined) return report
  }
}

interface Row {
  readonly id: WebhookId
  readonly secret: Buffer
  readonly old_secret: Buffer | null
  readonly old_secret_until: Date | null
}

async function relockRow(context: Context, row: Row, isDryRun: boolean, report: RelockReport): Promise<void> {
  const { db, secrets, clock } = context
  for (const column of ['secret', 'old_secret'] as const) {
    const locked = row[column]
    if (locked === null) continue
    const isOver = column === 'old_secret' && (row.old_secret_until ?? new Date(0)) <= clock.now()
    const fresh = isOver ? null : relock(() => relockSecret(secrets, locked))
    if (fresh === 'lost') report.lost.push(row.id)
    else if (fresh === undefined) report.current++
    else if (isDryRun) report.relocked++
    else {
      const { numUpdatedRows } = await db
        .updateTable('webhook')
        .set({ [column]: fresh })
        .where('id', '=', row.id)
        .where(column, '=', locked)
        .executeTakeFirst()
      // Another writer was faster, and uses the first key.
      if (numUpdatedRows === 0n) report.current++
      else report.relocked++
    }
  }
}

function relock(attempt: () => Buffer | undefined): Buffer | undefined | 'lost' {
  try {
    return attempt()
  } catch {
    return 'lost'
  }
}
