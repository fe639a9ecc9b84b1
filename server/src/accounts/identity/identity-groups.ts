import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Groups of projects that a provider gives to people; implemented by the projects room. */
    readonly identityGroups: IdentityGroups
  }
}

export interface IdentityGroups {
  /** Those of the groups that do not exist, or whose members cannot be set. */
  findUnknown(db: Db | Tx, groups: readonly string[]): Promise<string[]>
  /** True: the account is a member thereby, and was none before. A group that is gone is left out. */
  add(work: WriteContext, group: string, account: AccountId, now: Date): Promise<boolean>
  /** Many at once; returns those that are members thereby, and were none before. */
  changeMany(
    work: WriteContext,
    group: string,
    accounts: { readonly add: readonly AccountId[]; readonly remove: readonly AccountId[] },
    now: Date,
  ): Promise<AccountId[]>
  /** The last administrator of a project stays. */
  remove(work: WriteContext, group: string, account: AccountId, now: Date): Promise<void>
}
