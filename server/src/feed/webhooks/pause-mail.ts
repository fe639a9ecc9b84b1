import { type Static, Type } from 'typebox'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import type { MailTemplate, Writing } from '../../platform/jobs/mail.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { accountsInGroups } from '../../projects/groups/accounts-in-groups.ts'
import type { ProjectId } from '../../projects/project.ts'
import { trackerNow } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { personalLetter } from '../../accounts/mails/personal-letter.ts'
import type { WebhookId } from './webhook.ts'

interface Paused {
  readonly webhook_id: WebhookId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId | null
  readonly url: string
}

const PROJECT_ADMINS = 4

/** Orders a mail to each of those who can let it go on. */
export async function orderPauseMails(context: Context, tx: Tx, paused: Paused): Promise<void> {
  const { webhook_id, project_id, tracker_id, url } = paused
  const tracker = tracker_id === null ? undefined : await trackerNow(context, tx, tracker_id)
  const groups = [PROJECT_ADMINS, ...(tracker?.grants.admin ?? [])]
  const { rows } = await sql<{ account_id: AccountId }>`${accountsInGroups(project_id, groups)}`.execute(tx)
  // An address may hold a secret behind its question mark, and mails go far.
  const { origin, pathname } = new URL(url)
  const params = { webhook: String(webhook_id), target: `${origin}${pathname}` }
  for (const { account_id } of rows)
    await enqueueJob(
      tx,
      { type: 'mail', payload: { template: 'webhook_paused', account_id, params }, object: `webhooks/${webhook_id}` },
      null,
    )
}

const Places = Type.Object({ webhook: Type.String(), target: Type.String() })

/** To those who administer a hook that reached nobody for days. */
const webhookPaused = {
  name: 'webhook_paused',
  params: Places,
  compose({ context, tx, order }: Writing, places: Static<typeof Places>) {
    return personalLetter(context, tx, order.account_id, 'webhook_paused', places)
  },
}

export const WEBHOOK_MAILS: readonly MailTemplate[] = [webhookPaused]
