import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'

export interface DirectoryLink {
  readonly directory: string
  readonly entry_id: string
  readonly account_id: AccountId
  /** Null: the next sync fills it. */
  readonly login: string | null
}

/** From now on the password at the directory counts alone, so that of the account is removed. */
export async function linkDirectoryAccount(work: WriteContext, link: DirectoryLink, now: Date): Promise<void> {
  await work.tx
    .insertInto('directory_account')
    .values({ ...link, created_on: now })
    .execute()
  await work.tx
    .updateTable('account')
    .set((each) => ({
      password_hash: null,
      password_expires_on: null,
      version: each('version', '+', 1),
      rights_epoch: each('rights_epoch', '+', 1),
    }))
    .where('id', '=', link.account_id)
    .where((row) => row.or([row('password_hash', 'is not', null), row('password_expires_on', 'is not', null)]))
    .execute()
  const { directory, account_id } = link
  await work.change({ object: `users/${account_id}`, op: 'update', action: 'identity.link', after: { directory } })
}

/** For the operator: a link of either of them is replaced. */
export async function replaceDirectoryLink(work: WriteContext, link: DirectoryLink, now: Date): Promise<void> {
  const { directory, entry_id, account_id } = link
  await work.tx
    .deleteFrom('directory_account')
    .where((row) =>
      row.or([
        row('account_id', '=', account_id),
        row.and([row('directory', '=', directory), row('entry_id', '=', entry_id)]),
      ]),
    )
    .execute()
  await linkDirectoryAccount(work, link, now)
}
