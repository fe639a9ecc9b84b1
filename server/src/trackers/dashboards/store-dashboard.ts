import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { ResourceVersion } from '../../platform/wire/etag.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { Widget } from './dashboard.ts'

/** The project or the account that has the dashboard. */
export type DashboardOwner = { readonly project_id: ProjectId } | { readonly account_id: AccountId }

export interface StoredDashboard {
  readonly owner: DashboardOwner
  /** 0: it was never written. */
  readonly version: number
  readonly widgets: readonly Widget[]
}

export function dashboardUri(owner: DashboardOwner): string {
  return 'project_id' in owner ? `projects/${owner.project_id}/dashboard` : 'users/self/dashboard'
}

/** The version that the ETag of a dashboard identifies. */
export function dashboardVersion({ owner, version }: StoredDashboard): ResourceVersion {
  const id = 'project_id' in owner ? `projects/${owner.project_id}` : `users/${owner.account_id}`
  return { kind: 'dashboard', id, version }
}

export async function loadDashboard(db: Db | Tx, owner: DashboardOwner): Promise<StoredDashboard> {
  const found = await selectOwned(db, owner).executeTakeFirst()
  return { owner, version: found?.version ?? 0, widgets: found?.widgets ?? [] }
}

/** Locks the dashboard until the transaction ends. Its row is made first: two first writes must wait for each other. */
export async function lockDashboard(tx: Tx, owner: DashboardOwner): Promise<StoredDashboard> {
  await tx
    .insertInto('dashboard')
    .values({ project_id: null, account_id: null, ...owner })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { version, widgets } = await selectOwned(tx, owner).forUpdate().executeTakeFirstOrThrow()
  return { owner, version, widgets }
}

/** The dashboard must be locked. */
export async function storeDashboard(tx: Tx, { owner, version, widgets }: StoredDashboard): Promise<void> {
  await tx
    .updateTable('dashboard')
    .set({ version, widgets: JSON.stringify(widgets) })
    .where(ownedBy(owner))
    .execute()
}

/** A dashboard of an account is visible to its owner only, so it is deleted with the account. */
export async function eraseDashboard({ tx }: WriteContext, account: AccountId): Promise<void> {
  await tx.deleteFrom('dashboard').where('account_id', '=', account).execute()
}

function selectOwned(db: Db | Tx, owner: DashboardOwner) {
  return db.selectFrom('dashboard').select(['version', 'widgets']).where(ownedBy(owner))
}

function ownedBy(owner: DashboardOwner): RawBuilder<boolean> {
  return 'project_id' in owner
    ? sql`dashboard.project_id = ${owner.project_id}`
    : sql`dashboard.account_id = ${owner.account_id}`
}
