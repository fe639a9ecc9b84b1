import type { ExportSource } from '../../accounts/exports/export-source.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { findFavourites } from './list-favourites.ts'
import { findRecentlySeen } from './list-recently-seen.ts'

/** Deletes the lists of an erased account. */
export async function erasePersonalLists({ tx }: WriteContext, account: AccountId): Promise<void> {
  for (const table of ['favourite', 'recently_seen'] as const)
    await tx.deleteFrom(table).where('account_id', '=', account).execute()
}

/** The lists of a person, with the objects that they may still read. */
export const PERSONAL_LIST_EXPORTS: readonly ExportSource[] = [
  { name: 'favourites', read: (tx, context, person) => findFavourites(context, tx, person, person.account_id) },
  { name: 'recently_seen', read: (tx, context, person) => findRecentlySeen(context, tx, person, person.account_id) },
]
