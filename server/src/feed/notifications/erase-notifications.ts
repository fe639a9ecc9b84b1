import type { ExportSource } from '../../accounts/exports/export-source.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { findWatches } from './watching/find-watches.ts'

/** Deletes the watches, settings and notifications of an erased account. */
export async function eraseNotifications({ tx }: WriteContext, account: AccountId): Promise<void> {
  for (const table of ['watch', 'notification_setting', 'notification', 'notice_mail'] as const)
    await tx.deleteFrom(table).where('account_id', '=', account).execute()
}

/** Watches of a person on objects that they may still read. */
export const watchesExport: ExportSource = {
  name: 'watches',
  read: (tx, _context, person) => findWatches(tx, person, person.account_id),
}
