import { sql } from 'kysely'
import { hiddenFrom, refusedTo } from '../../accounts/refusals.ts'
import { findLogins } from '../../accounts/users/find-users-by.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { readFeedState } from '../../platform/database/events.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findProject, requireProjectAdmin } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findTrackerToChange } from '../../trackers/find-part.ts'
import { findTracker, requireActiveProject, requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import {
  representWebhook,
  type Webhook,
  webhookColumns,
  type WebhookId,
  type WebhookRepresentation,
} from './webhook.ts'

/** What hooks belong to. */
export interface Home {
  readonly project_id: ProjectId
  /** Null: the whole project. */
  readonly tracker: LoadedTracker | null
}

interface Address {
  readonly project_id?: ProjectId
  readonly tracker_id: TrackerId | null
}

/** The tracker or project whose hooks the viewer may see, for he administers it. */
export async function findHome(context: Context, db: Db | Tx, viewer: Viewer, address: Address): Promise<Home> {
  const { project_id, tracker_id } = address
  if (tracker_id !== null) {
    const sight = await findTracker(context, db, viewer, tracker_id)
    requireTrackerAdmin(sight)
    return { project_id: sight.tracker.project_id, tracker: sight.tracker }
  }
  if (project_id === undefined) throw hiddenFrom(viewer)
  requireProjectAdmin(viewer, await findProject(db, viewer, project_id))
  return { project_id, tracker: null }
}

/** The same for a change: one at a time. The hooks of a tracker are part of what it is defined by. */
export async function findHomeToChange(context: Context, tx: Tx, viewer: Viewer, address: Address): Promise<Home> {
  const { project_id, tracker_id } = address
  if (tracker_id !== null) {
    const { tracker } = await findTrackerToChange(context, tx, viewer, tracker_id)
    return { project_id: tracker.project_id, tracker }
  }
  if (project_id === undefined) throw hiddenFrom(viewer)
  const project = await findProject(tx, viewer, project_id)
  requireProjectAdmin(viewer, project)
  requireActiveProject({ project })
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${project_id}`}, 0))`.execute(tx)
  return { project_id, tracker: null }
}

/** A hook, for an administrator of what it belongs to. */
export async function findWebhook(context: Context, db: Db | Tx, viewer: Viewer, id: WebhookId): Promise<Webhook> {
  const webhook = await readWebhook(db, id)
  if (!webhook) throw hiddenFrom(viewer)
  await findHome(context, db, viewer, webhook)
  return webhook
}

/** The same for a change, and for nobody else until the transaction ends. */
export async function findWebhookToChange(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  id: WebhookId,
): Promise<{ webhook: Webhook; home: Home }> {
  const seen = await readWebhook(tx, id)
  if (!seen) throw hiddenFrom(viewer)
  const home = await findHomeToChange(context, tx, viewer, seen)
  const { rows } = await sql<Webhook>`
    select ${webhookColumns} from webhook where webhook.id = ${id} for update`.execute(tx)
  const [webhook] = rows
  if (!webhook) throw hiddenFrom(viewer)
  return { webhook, home }
}

async function readWebhook(db: Db | Tx, id: WebhookId): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`select ${webhookColumns} from webhook where webhook.id = ${id}`.execute(db)
  return rows[0]
}

/** Those of a tracker, or those of a project that are no tracker's, oldest first. */
export async function findWebhooksOf(db: Db | Tx, { project_id, tracker }: Home): Promise<Webhook[]> {
  const which = tracker ? sql`webhook.tracker_id = ${tracker.id}` : sql`webhook.tracker_id is null`
  const { rows } = await sql<Webhook>`
    select ${webhookColumns} from webhook where webhook.project_id = ${project_id} and ${which}
    order by webhook.id`.execute(db)
  return rows
}

export async function showWebhooks(db: Db | Tx, webhooks: readonly Webhook[]): Promise<WebhookRepresentation[]> {
  const { epoch } = await readFeedState(db)
  const logins = await findLogins(
    db,
    webhooks.flatMap(({ created_by }) => created_by ?? []),
  )
  return webhooks.map((webhook) => representWebhook(webhook, { epoch, logins }))
}

export async function showWebhook(db: Db | Tx, webhook: Webhook): Promise<WebhookRepresentation> {
  const [shown] = await showWebhooks(db, [webhook])
  if (!shown) throw new TypeError('One in, one out.')
  return shown
}

/** What a hook reads with somebody's eyes is for him, and for those who may lend eyes to others. */
export function readsForOthers({ as_user }: Webhook, viewer: Viewer): boolean {
  return as_user !== null && as_user !== viewer.account_id && viewer.is_site_admin !== true
}

/** Whoever lets a hook read with somebody's eyes is he himself, or a site administrator. */
export function requireOwnEyes(as_user: number | null, viewer: Viewer): void {
  if (as_user !== null && as_user !== viewer.account_id && !viewer.is_site_admin) throw refusedTo(viewer, 'site_admin')
}
