import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'

/** Writes the row of the account: stored representations of people are validated by it. */
export async function writeAvatarKey(work: WriteContext, id: AccountId, avatar_key: string | null): Promise<void> {
  const has_avatar = avatar_key !== null
  await work.tx
    .updateTable('account')
    .set((each) => ({ avatar_key, has_avatar, version: each('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await work.change({ object: `users/${id}`, op: 'update', after: { has_avatar } })
}
