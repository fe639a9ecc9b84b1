import { cleanAccounts } from './accounts/clean-accounts.ts'
import { directorySyncJob } from './accounts/directories/sync/sync-job.ts'
import { exportJob } from './accounts/exports/export-job.ts'
import { cleanDeliveries } from './feed/webhooks/clean-deliveries.ts'
import { deliver } from './feed/webhooks/deliver.ts'
import { deliveryJob } from './feed/webhooks/delivery-job.ts'
import { planDeliveries } from './feed/webhooks/plan-deliveries.ts'
import { archiveJob } from './artifacts/trash/archives/archive-job.ts'
import { archivePeopleJobs } from './artifacts/trash/archives/follow-people.ts'
import { cleanTrash } from './artifacts/trash/clean-trash.ts'
import { SUMMARY_BACK_FILLS } from './artifacts/summary/fill-summaries.ts'
import { purgeJob } from './artifacts/trash/purge-job.ts'
import { cleanNotifications } from './feed/notifications/clean-notifications.ts'
import { noticePoller } from './feed/notifications/planning/notice-poller.ts'
import { workflowJob } from './feed/workflow-jobs/workflow-job.ts'
import { cleanFiles } from './files/clean-files.ts'
import { removePiecesJob } from './files/remove-pieces.ts'
import { MAILS } from './mails.ts'
import { type BackFill, backFillPoller } from './platform/database/back-fill.ts'
import { cleanFeed, cleanPlatform, cleanUpJob } from './platform/jobs/clean-up.ts'
import type { Job } from './platform/jobs/job.ts'
import { mailJob } from './platform/jobs/mail-job.ts'
import type { Poller } from './platform/jobs/poller.ts'
import { purgeProjectsJob } from './projects/trash/purge-projects.ts'
import { recordRevisionsJob, revisionPoller } from './repositories/revisions/record-missed-revisions.ts'
import { eraseAuthorJob } from './repositories/revisions/erase-author.ts'
import { dumpJob } from './repositories/trash/dump-job.ts'
import { restoreJob } from './repositories/trash/restore-job.ts'
import { sweepRepositories } from './repositories/trash/sweep-repositories.ts'
import { foldTotals } from './trackers/fold-totals.ts'
import type { RecurringJob } from './platform/jobs/worker.ts'

export const JOBS: readonly Job[] = [
  mailJob(MAILS),
  exportJob,
  directorySyncJob,
  archiveJob,
  ...archivePeopleJobs,
  purgeJob,
  purgeProjectsJob,
  removePiecesJob,
  recordRevisionsJob,
  eraseAuthorJob,
  dumpJob,
  restoreJob,
  deliveryJob,
  workflowJob,
  cleanUpJob(
    [cleanPlatform, cleanAccounts, cleanTrash, cleanNotifications],
    [cleanFeed, cleanFiles, cleanDeliveries, sweepRepositories],
  ),
]

/** Jobs that run on a schedule. */
export const RECURRING_JOBS: readonly RecurringJob[] = [
  { type: 'clean_up', at: '17 * * * *' },
  { type: 'directory_sync', at: '*/5 * * * *' },
  { type: 'artifact_purge', at: '47 * * * *' },
  { type: 'project_purge', at: '27 * * * *' },
  { type: 'svn_post_commit', at: '37 * * * *' },
]

/** Derived data that is filled in batches after its migration. */
export const BACK_FILLS: readonly BackFill[] = SUMMARY_BACK_FILLS

/** Pollers that look for new work. */
export const POLLERS: readonly Poller[] = [
  backFillPoller(BACK_FILLS),
  foldTotals,
  noticePoller,
  revisionPoller,
  planDeliveries,
  deliver,
]
