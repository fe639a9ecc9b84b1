import { type Static, Type } from 'typebox'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import type { MailTemplate, MailContext } from '../../platform/jobs/mail-template.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { accountsInGroups } from '../../projects/groups/accounts-in-groups.ts'
import type { ProjectId } from '../../projects/project.ts'
import { loadCurrentTracker } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { buildAccountMail } from '../../accounts/mails/account-mail.ts'
import type { StateReason, WebhookId } from './webhook.ts'

interface PausedWebhook {
  readonly id: WebhookId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId | null
  readonly url: string
}

const PROJECT_ADMINS = 4

type PauseReason = Exclude<StateReason, 'receiver_gone'>
const TEMPLATES = {
  receiver_failing: 'webhook_paused',
  owner_lost_rights: 'webhook_owner_lost_rights',
} as const

/** Sends a mail to each administrator who can switch the hook on again. */
export async function enqueuePauseMails(
  context: Context,
  tx: Tx,
  paused: PausedWebhook,
  reason: PauseReason,
): Promise<void> {
  const { id, project_id, tracker_id, url } = paused
  const tracker = tracker_id === null ? undefined : await loadCurrentTracker(context, tx, tracker_id)
  const groups = [PROJECT_ADMINS, ...(tracker?.grants.admin ?? [])]
  const { rows } = await sql<{ account_id: AccountId }>`${accountsInGroups(project_id, groups)}`.execute(tx)
  // The query of an address may contain a secret, so mails omit it.
  const { origin, pathname } = new URL(url)
  const params = { webhook: String(id), target: `${origin}${pathname}` }
  for (const { account_id } of rows)
    await enqueueJob(
      tx,
      { type: 'mail', payload: { template: TEMPLATES[reason], account_id, params }, object: `webhooks/${id}` },
      null,
    )
}

const PauseMailParams = Type.Object({ webhook: Type.String(), target: Type.String() })

const pauseMails = Object.values(TEMPLATES).map((name) => ({
  name,
  params: PauseMailParams,
  compose({ context, tx, order }: MailContext, placeholders: Static<typeof PauseMailParams>) {
    return buildAccountMail(context, tx, order.account_id, name, placeholders)
  },
}))

export const WEBHOOK_MAILS: readonly MailTemplate[] = pauseMails
