import type { ExportSource } from '../../accounts/exports/export-source.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import { findWatches } from './watching/find-watches.ts'

/** What somebody watches, and what he was told, goes with him. */
export async function eraseNotifications({ tx }: Work, account: AccountId): Promise<void> {
  for (const table of ['watch', 'notification_setting', 'notification', 'notice_mail'] as const)
    await tx.deleteFrom(table).where('account_id', '=', account).execute()
}

/** What a person watches and may still read. */
export const watchesExport: ExportSource = {
  name: 'watches',
  read: (tx, _context, person) => findWatches(tx, person, person.account_id),
}
