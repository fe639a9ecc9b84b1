import { sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { findLogins } from '../../accounts/users/find-users-by.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { readFeedState } from '../../platform/database/events.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findProject, requireProjectAdmin } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findTrackerToChange } from '../../trackers/find-part.ts'
import { findTracker, requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import { type LoadedTracker, requireActiveProject } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { representWebhook, type Webhook, webhookColumns, type WebhookId } from './webhook.ts'
import { type WebhookRepresentation } from './webhook-schemas.ts'

/** The tracker or project to which hooks belong. */
export interface WebhookHome {
  readonly project_id: ProjectId
  /** Null: hooks of the whole project. */
  readonly tracker: LoadedTracker | null
}

interface HomeAddress {
  readonly project_id?: ProjectId
  readonly tracker_id: TrackerId | null
}

/** The tracker or project; fails unless the viewer administers it. */
export async function findHome(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  address: HomeAddress,
): Promise<WebhookHome> {
  const { project_id, tracker_id } = address
  if (tracker_id !== null) {
    const access = await findTracker(context, db, viewer, tracker_id)
    requireTrackerAdmin(access)
    return { project_id: access.tracker.project_id, tracker: access.tracker }
  }
  if (project_id === undefined) throw hiddenError(viewer)
  requireProjectAdmin(viewer, await findProject(db, viewer, project_id))
  return { project_id, tracker: null }
}

/** The same for a change, with a lock. Hooks are part of the definition of their tracker. */
export async function findHomeToChange(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  address: HomeAddress,
): Promise<WebhookHome> {
  const { project_id, tracker_id } = address
  if (tracker_id !== null) {
    const { tracker } = await findTrackerToChange(context, tx, viewer, tracker_id)
    return { project_id: tracker.project_id, tracker }
  }
  if (project_id === undefined) throw hiddenError(viewer)
  const project = await findProject(tx, viewer, project_id)
  requireProjectAdmin(viewer, project)
  requireActiveProject({ project })
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${project_id}`}, 0))`.execute(tx)
  return { project_id, tracker: null }
}

/** A hook; fails unless the viewer administers its tracker or project. */
export async function findWebhook(context: Context, db: Db | Tx, viewer: Viewer, id: WebhookId): Promise<Webhook> {
  const webhook = await readWebhook(db, id)
  if (!webhook) throw hiddenError(viewer)
  await findHome(context, db, viewer, webhook)
  return webhook
}

/** The same for a change, locked until the transaction ends. */
export async function findWebhookToChange(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  id: WebhookId,
): Promise<{ webhook: Webhook; home: WebhookHome }> {
  const seen = await readWebhook(tx, id)
  if (!seen) throw hiddenError(viewer)
  const home = await findHomeToChange(context, tx, viewer, seen)
  const { rows } = await sql<Webhook>`
    select ${webhookColumns} from webhook where webhook.id = ${id} for update`.execute(tx)
  const [webhook] = rows
  if (!webhook) throw hiddenError(viewer)
  return { webhook, home }
}

async function readWebhook(db: Db | Tx, id: WebhookId): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`select ${webhookColumns} from webhook where webhook.id = ${id}`.execute(db)
  return rows[0]
}

/** The hooks of a tracker, or those of a project without its trackers; oldest first. */
export async function findWebhooksOf(db: Db | Tx, { project_id, tracker }: WebhookHome): Promise<Webhook[]> {
  const which = tracker ? sql`webhook.tracker_id = ${tracker.id}` : sql`webhook.tracker_id is null`
  const { rows } = await sql<Webhook>`
    select ${webhookColumns} from webhook where webhook.project_id = ${project_id} and ${which}
    order by webhook.id`.execute(db)
  return rows
}

export async function representWebhooks(db: Db | Tx, webhooks: readonly Webhook[]): Promise<WebhookRepresentation[]> {
  const { epoch } = await readFeedState(db)
  const logins = await findLogins(
    db,
    webhooks.flatMap(({ created_by, owner_id }) => [created_by ?? [], owner_id ?? []].flat()),
  )
  return webhooks.map((webhook) => representWebhook(webhook, { epoch, logins }))
}

export async function loadWebhookRepresentation(db: Db | Tx, webhook: Webhook): Promise<WebhookRepresentation> {
  const [shown] = await representWebhooks(db, [webhook])
  if (!shown) throw new TypeError('One in, one out.')
  return shown
}
