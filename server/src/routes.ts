import { resendVerification } from './accounts/addresses/resend-verification.ts'
import { verifyEmail } from './accounts/addresses/verify-email.ts'
import { createAccessKey } from './accounts/access-keys/create-access-key.ts'
import { DIRECTORY_ROUTES } from './accounts/directories/routes.ts'
import { IDENTITY_ROUTES } from './accounts/identity/routes.ts'
import { getExport } from './accounts/exports/get-export.ts'
import { getExportContent } from './accounts/exports/get-export-content.ts'
import { requestExport } from './accounts/exports/request-export.ts'
import { createToken } from './accounts/tokens/create-token.ts'
import { createUser } from './accounts/users/create-user.ts'
import { deleteAccessKey } from './accounts/access-keys/delete-access-key.ts'
import { deleteToken } from './accounts/tokens/delete-token.ts'
import { deleteTokens } from './accounts/tokens/delete-tokens.ts'
import { eraseUser } from './accounts/users/erase-user.ts'
import { getAccessKey } from './accounts/access-keys/get-access-key.ts'
import { getPreference } from './accounts/preferences/get-preference.ts'
import { getUser } from './accounts/users/get-user.ts'
import { acceptInvitation } from './accounts/invitations/accept-invitation.ts'
import { createInvitations } from './accounts/invitations/create-invitations.ts'
import { getInvitation } from './accounts/invitations/get-invitation.ts'
import { listInvitations } from './accounts/invitations/list-invitations.ts'
import { createInvitationLink } from './accounts/invitations/create-invitation-link.ts'
import { revokeInvitation } from './accounts/invitations/revoke-invitation.ts'
import { getRegistration } from './accounts/invitations/get-registration.ts'
import { registerAccount } from './accounts/invitations/register-account.ts'
import { listAccessKeys } from './accounts/access-keys/list-access-keys.ts'
import { changePassword } from './accounts/passwords/change-password.ts'
import { getPasswordReset } from './accounts/passwords/get-password-reset.ts'
import { requestPasswordReset } from './accounts/passwords/request-password-reset.ts'
import { resetPassword } from './accounts/passwords/reset-password.ts'
import { deleteAvatar } from './accounts/avatars/delete-avatar.ts'
import { setAvatar } from './accounts/avatars/set-avatar.ts'
import { removePreference } from './accounts/preferences/remove-preference.ts'
import { searchUsers } from './accounts/users/search-users.ts'
import { confirmSession } from './accounts/sessions/confirm-session.ts'
import { createSession } from './accounts/sessions/create-session.ts'
import { deleteSession } from './accounts/sessions/delete-session.ts'
import { endOtherSessions } from './accounts/sessions/end-other-sessions.ts'
import { endSession } from './accounts/sessions/end-session.ts'
import { getSession } from './accounts/sessions/get-session.ts'
import { listSessions } from './accounts/sessions/list-sessions.ts'
import { setPreference } from './accounts/preferences/set-preference.ts'
import { updateUser } from './accounts/users/update-user.ts'
import { getIndex } from './administration/get-index.ts'
import { getJob } from './administration/get-job.ts'
import { getSettings } from './administration/get-settings.ts'
import { getVersion } from './administration/get-version.ts'
import { giveUpJob } from './administration/give-up-job.ts'
import { listAudit } from './administration/list-audit.ts'
import { listJobs } from './administration/list-jobs.ts'
import { retryJob } from './administration/retry-job.ts'
import { updateSettings } from './administration/update-settings.ts'
import type { Route } from './platform/http/route.ts'
import { listHeartbeats } from './projects/activity/list-heartbeats.ts'
import { deleteBanner } from './projects/banner/delete-banner.ts'
import { getBanner } from './projects/banner/get-banner.ts'
import { setBanner } from './projects/banner/set-banner.ts'
import { createProject } from './projects/create-project.ts'
import { listBacklog, listGitRepositories, listMilestones, listPlannings } from './projects/empty-lists.ts'
import { getProject } from './projects/get-project.ts'
import { listEvents } from './feed/list-events.ts'
import { followArtifacts } from './feed/live-queries/follow-artifacts.ts'
import { listTrackerWebhooks } from './feed/webhooks/list-tracker-webhooks.ts'
import { createTrackerWebhook } from './feed/webhooks/create-tracker-webhook.ts'
import { listProjectWebhooks } from './feed/webhooks/list-project-webhooks.ts'
import { createProjectWebhook } from './feed/webhooks/create-project-webhook.ts'
import { getWebhook } from './feed/webhooks/get-webhook.ts'
import { changeWebhook } from './feed/webhooks/change-webhook.ts'
import { deleteWebhook } from './feed/webhooks/delete-webhook.ts'
import { renewWebhookSecret } from './feed/webhooks/renew-secret.ts'
import { testWebhook } from './feed/webhooks/test-webhook.ts'
import { listDeliveries } from './feed/webhooks/list-deliveries.ts'
import { getDelivery } from './feed/webhooks/get-delivery.ts'
import { redeliver } from './feed/webhooks/redeliver.ts'
import { replayEvents } from './feed/webhooks/replay-events.ts'
import { deleteNotification } from './feed/notifications/inbox/delete-notification.ts'
import { listNotifications } from './feed/notifications/inbox/list-notifications.ts'
import { listNotificationThreads } from './feed/notifications/inbox/list-threads.ts'
import { readNotifications } from './feed/notifications/inbox/read-notifications.ts'
import { updateNotification } from './feed/notifications/inbox/update-notification.ts'
import { updateNotifications } from './feed/notifications/inbox/update-notifications.ts'
import { getUnsubscription } from './feed/notifications/mailing/get-unsubscription.ts'
import { unsubscribe } from './feed/notifications/mailing/unsubscribe.ts'
import { getNotificationSettings } from './feed/notifications/settings/get-settings.ts'
import { updateNotificationSettings } from './feed/notifications/settings/update-settings.ts'
import { WATCH_ROUTES } from './feed/notifications/watching/routes.ts'
import { appendChunk } from './files/temporary-files/append-chunk.ts'
import { createTemporaryFile } from './files/temporary-files/create-temporary-file.ts'
import { deleteTemporaryFile } from './files/temporary-files/delete-temporary-file.ts'
import { getTemporaryFile } from './files/temporary-files/get-temporary-file.ts'
import { listTemporaryFiles } from './files/temporary-files/list-temporary-files.ts'
import { withIgnoredInput } from './ignored-input.ts'
import { createArtifact } from './artifacts/create-artifact.ts'
import { queryAcrossTrackers } from './artifacts/cross-tracker/query-across-trackers.ts'
import { getArtifactFile } from './artifacts/attachments/get-artifact-file.ts'
import { getArtifact } from './artifacts/get-artifact.ts'
import { getArtifacts } from './artifacts/get-artifacts.ts'
import { COMMENT_ROUTES } from './artifacts/comments/routes.ts'
import { getChangeset } from './artifacts/history/get-changeset.ts'
import { listChangesets } from './artifacts/history/list-changesets.ts'
import { deleteLinkType } from './artifacts/links/delete-link-type.ts'
import { listLinkedArtifacts } from './artifacts/links/list-linked-artifacts.ts'
import { listLinkNatures } from './artifacts/links/list-link-natures.ts'
import { listParentArtifacts } from './artifacts/links/list-parent-artifacts.ts'
import { listUsedLinkTypes } from './artifacts/links/list-used-link-types.ts'
import { setLinks } from './artifacts/links/set-links.ts'
import { copyArtifact } from './artifacts/moving/copy-artifact.ts'
import { moveArtifact } from './artifacts/moving/move-artifact.ts'
import { listOwnArtifacts } from './artifacts/own-artifacts/list-own-artifacts.ts'
import { getArchive } from './artifacts/trash/archives/get-archive.ts'
import { getArchiveContent } from './artifacts/trash/archives/get-archive-content.ts'
import { listArchives } from './artifacts/trash/archives/list-archives.ts'
import { deleteArtifact } from './artifacts/trash/delete-artifact.ts'
import { listProjectTrash } from './artifacts/trash/list-project-trash.ts'
import { listTrackerTrash } from './artifacts/trash/list-tracker-trash.ts'
import { listTrash } from './artifacts/trash/list-trash.ts'
import { restoreArtifact } from './artifacts/trash/restore-artifact.ts'
import { writeArtifacts } from './artifacts/bulk/write-artifacts.ts'
import { listReportArtifacts } from './artifacts/reports/list-report-artifacts.ts'
import { searchArtifacts } from './artifacts/full-text/facets/search-artifacts.ts'
import { countGroups } from './artifacts/groups/count-groups.ts'
import { countChanges } from './artifacts/history/count-changes.ts'
import { listArtifacts } from './artifacts/list-artifacts.ts'
import { updateArtifact } from './artifacts/update-artifact/update-artifact.ts'
import { PERSONAL_LIST_ROUTES } from './artifacts/personal-lists/routes.ts'
import { RANK_ROUTES } from './artifacts/rank/routes.ts'
import { IMPORT_ROUTES } from './artifacts/imports/routes.ts'
import { getBlame } from './repositories/browse/get-blame.ts'
import { getDiff } from './repositories/browse/get-diff.ts'
import { getFile } from './repositories/browse/get-file.ts'
import { getRevision } from './repositories/browse/get-revision.ts'
import { listLog } from './repositories/browse/list-log.ts'
import { listRevisions } from './repositories/browse/list-revisions.ts'
import { listTree } from './repositories/browse/list-tree.ts'
import { createRepository } from './repositories/create-repository.ts'
import { getRepository } from './repositories/get-repository.ts'
import { listAccessFiles } from './repositories/list-access-files.ts'
import { listRepositories } from './repositories/list-repositories.ts'
import { deleteRepository } from './repositories/trash/delete-repository.ts'
import { restoreRepository } from './repositories/trash/restore-repository.ts'
import { updateRepository } from './repositories/update-repository.ts'
import { listUserGroups } from './projects/groups/list-user-groups.ts'
import { USER_GROUP_ROUTES } from './projects/groups/user-group-routes.ts'
import { listLabels } from './projects/list-labels.ts'
import { listMembers } from './projects/list-members.ts'
import { listProjectInvitations } from './projects/list-project-invitations.ts'
import { listProjectAudit } from './projects/list-project-audit.ts'
import { listProjectServices } from './projects/project-services/list-project-services.ts'
import { listProjects } from './projects/list-projects.ts'
import { SEARCH_ROUTES } from './projects/search/routes.ts'
import { extractReferences } from './projects/references/extract-references.ts'
import { switchProjectService } from './projects/project-services/switch-project-service.ts'
import { deleteProject } from './projects/trash/delete-project.ts'
import { restoreProject } from './projects/trash/restore-project.ts'
import { updateProject } from './projects/update-project.ts'
import { announceFile } from './trackers/announce-file.ts'
import { deleteField } from './trackers/form/delete-field.ts'
import { updateField } from './trackers/form/update-field.ts'
import { getTracker } from './trackers/get-tracker.ts'
import { listCannedResponses } from './trackers/list-canned-responses.ts'
import { listTrackers } from './trackers/list-trackers.ts'
import { createReport } from './trackers/reports/create-report.ts'
import { deleteReport } from './trackers/reports/delete-report.ts'
import { getReport } from './trackers/reports/get-report.ts'
import { listReports } from './trackers/reports/list-reports.ts'
import { updateReport } from './trackers/reports/update-report.ts'
import { createTransition } from './trackers/workflow/create-transition.ts'
import { deleteTransition } from './trackers/workflow/delete-transition.ts'
import { getActions } from './trackers/workflow/get-actions.ts'
import { getTransition } from './trackers/workflow/get-transition.ts'
import { setActions } from './trackers/workflow/set-actions.ts'
import { updateTransition } from './trackers/workflow/update-transition.ts'
import { updateWorkflow } from './trackers/workflow/update-workflow.ts'
import { DASHBOARD_ROUTES } from './trackers/dashboards/routes.ts'
import { DEFINITION_ROUTES } from './trackers/definition/routes.ts'
import { LINK_TYPE_ROUTES } from './trackers/link-types/routes.ts'

const DECLARED: readonly Route[] = [
  searchUsers,
  createUser,
  getUser,
  updateUser,
  eraseUser,
  getPreference,
  setPreference,
  removePreference,
  setAvatar,
  deleteAvatar,
  requestExport,
  getExport,
  getExportContent,
  listAccessKeys,
  createAccessKey,
  getAccessKey,
  deleteAccessKey,
  createToken,
  deleteTokens,
  deleteToken,
  createSession,
  getSession,
  deleteSession,
  confirmSession,
  listSessions,
  endSession,
  endOtherSessions,
  changePassword,
  requestPasswordReset,
  getPasswordReset,
  resetPassword,
  resendVerification,
  verifyEmail,
  createInvitations,
  listInvitations,
  revokeInvitation,
  createInvitationLink,
  getInvitation,
  acceptInvitation,
  getRegistration,
  registerAccount,
  ...IDENTITY_ROUTES,
  ...DIRECTORY_ROUTES,
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  restoreProject,
  listUserGroups,
  listLabels,
  listHeartbeats,
  getBanner,
  setBanner,
  deleteBanner,
  listProjectServices,
  switchProjectService,
  extractReferences,
  ...SEARCH_ROUTES,
  searchArtifacts,
  listGitRepositories,
  listMilestones,
  listPlannings,
  listBacklog,
  listProjectAudit,
  listProjectInvitations,
  listMembers,
  ...USER_GROUP_ROUTES,
  listTrackers,
  listCannedResponses,
  ...RANK_ROUTES,
  getTracker,
  listUsedLinkTypes,
  listParentArtifacts,
  ...LINK_TYPE_ROUTES,
  deleteLinkType,
  updateWorkflow,
  updateField,
  deleteField,
  announceFile,
  createTransition,
  getTransition,
  updateTransition,
  deleteTransition,
  getActions,
  setActions,
  listReports,
  createReport,
  getReport,
  updateReport,
  deleteReport,
  listReportArtifacts,
  listArtifacts,
  countGroups,
  countChanges,
  writeArtifacts,
  ...IMPORT_ROUTES,
  getArtifacts,
  listOwnArtifacts,
  ...PERSONAL_LIST_ROUTES,
  queryAcrossTrackers,
  createArtifact,
  getArtifact,
  updateArtifact,
  listChangesets,
  getChangeset,
  ...COMMENT_ROUTES,
  listLinkNatures,
  setLinks,
  listLinkedArtifacts,
  moveArtifact,
  deleteArtifact,
  restoreArtifact,
  copyArtifact,
  listTrackerTrash,
  listProjectTrash,
  listTrash,
  listArchives,
  getArchive,
  getArchiveContent,
  getArtifactFile,
  createTemporaryFile,
  appendChunk,
  listTemporaryFiles,
  getTemporaryFile,
  deleteTemporaryFile,
  ...DASHBOARD_ROUTES,
  ...DEFINITION_ROUTES,
  listRepositories,
  createRepository,
  getRepository,
  listAccessFiles,
  updateRepository,
  deleteRepository,
  restoreRepository,
  listTree,
  getFile,
  listLog,
  listRevisions,
  getRevision,
  getDiff,
  getBlame,
  listEvents,
  followArtifacts,
  listTrackerWebhooks,
  createTrackerWebhook,
  listProjectWebhooks,
  createProjectWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  renewWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  redeliver,
  replayEvents,
  deleteNotification,
  listNotifications,
  listNotificationThreads,
  readNotifications,
  updateNotification,
  updateNotifications,
  getUnsubscription,
  unsubscribe,
  getNotificationSettings,
  updateNotificationSettings,
  ...WATCH_ROUTES,
  getSettings,
  updateSettings,
  listAudit,
  listJobs,
  getJob,
  retryJob,
  giveUpJob,
  getVersion,
  getIndex,
]

/** All routes of the API. */
export const ROUTES: readonly Route[] = DECLARED.map(withIgnoredInput)
