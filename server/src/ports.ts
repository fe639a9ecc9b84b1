import type { IdentityGroups } from './accounts/identity/identity-groups.ts'
import { identityGroups } from './projects/groups/identity-groups-of-projects.ts'
import { ACCOUNT_EXPORTS } from './accounts/exports/account-exports.ts'
import type { ExportSource } from './accounts/exports/export-source.ts'
import type { Eraser } from './accounts/users/erase-user.ts'
import type { Renamer } from './accounts/users/update-user.ts'
import { namedUsers } from './accounts/users/named-users.ts'
import type { NamedObjects } from './platform/http/resolve-name.ts'
import { namedProjects } from './projects/named-projects.ts'
import { namedTrackers } from './trackers/named-trackers.ts'
import { artifactActivity } from './artifacts/artifact-activity.ts'
import { namedArtifacts } from './artifacts/imports/named-artifacts.ts'
import { findByKeys } from './artifacts/imports/source-key.ts'
import { findQuickArtifacts } from './artifacts/full-text/quick-artifacts.ts'
import { findQuickFiles } from './artifacts/full-text/quick-files.ts'
import { searchedArtifacts } from './artifacts/full-text/searched-artifacts.ts'
import { renumberDates } from './artifacts/search/renumber-dates.ts'
import { ARTIFACT_EXPORTS } from './artifacts/own-artifacts/export-own.ts'
import { COMMENT_EXPORTS, eraseReactions } from './artifacts/comments/personal-data.ts'
import { erasePersonalLists, PERSONAL_LIST_EXPORTS } from './artifacts/personal-lists/personal-data.ts'
import { artifactsUsingGroup } from './artifacts/artifacts-using-group.ts'
import { peopleOfArtifacts } from './artifacts/people-of-artifacts.ts'
import { countFiles, purgeArtifactsOfProject } from './artifacts/trash/purge-project-artifacts.ts'
import { eraseInArchives, renameInArchives } from './artifacts/trash/archives/follow-people.ts'
import { eraseInDeliveries } from './feed/webhooks/clean-deliveries.ts'
import { syncWebhooksWithDefinition } from './feed/webhooks/sync-with-definition.ts'
import type { FindNotifiedPeople } from './artifacts/update-artifact/dry-run-report.ts'
import { dryRunNotices } from './feed/notifications/planning/dry-run-notices.ts'
import { eraseNotifications, watchesExport } from './feed/notifications/erase-notifications.ts'
import { countWebhooks, purgeFeedOfProject } from './feed/purge-project-feed.ts'
import { eraseUploads, uploadsExport } from './files/free-uploads.ts'
import type { ActivitySource } from './projects/activity/activity-source.ts'
import { projectActivity } from './projects/activity/project-activity.ts'
import type { CopyTemplate } from './projects/copy-template.ts'
import { eraseMember } from './projects/erase-member.ts'
import type { FindGroupUses } from './projects/groups/delete-user-group.ts'
import { membershipExport } from './projects/export-memberships.ts'
import type { AdministeredTracker } from './projects/list-projects.ts'
import type { OwnKeywords } from './projects/references/own-keywords.ts'
import type { FindByKeys } from './projects/references/source-keys.ts'
import { type ReferenceKind, SYSTEM_KINDS } from './projects/references/reference-kind.ts'
import type { QuickKinds } from './projects/search/quick-kind.ts'
import type { SearchedKind } from './projects/search/searched-kind.ts'
import { searchedProjects } from './projects/search/searched-projects.ts'
import { countMembers, type ProjectContents } from './projects/trash/project-contents.ts'
import type { ProjectPurger } from './projects/trash/purge-projects.ts'
import type { IncomingReferences } from './artifacts/links/incoming-references.ts'
import { commitsReferringTo } from './repositories/revisions/commits-referring-to.ts'
import { eraseAuthor } from './repositories/revisions/erase-author.ts'
import { eraseInRepositories, renameInAccessFiles } from './repositories/access/rename-logins.ts'
import { findQuickCommits } from './repositories/quick-commits.ts'
import { repositoriesUsingGroup } from './repositories/repositories-using-group.ts'
import { searchedRepositories } from './repositories/searched-repositories.ts'
import { countRepositories, purgeRepositoriesOfProject } from './repositories/trash/purge-project-repositories.ts'
import { deletedRepositories } from './repositories/trash/trashed-repository.ts'
import { administersATracker } from './trackers/administered-tracker.ts'
import type { ArtifactPeople } from './trackers/binds/population.ts'
import { instantiateTrackers } from './trackers/instantiate-trackers.ts'
import { itemNames } from './trackers/item-names.ts'
import { findQuickTrackers } from './trackers/quick-trackers.ts'
import { dashboardExport } from './trackers/dashboards/export-dashboard.ts'
import { eraseDashboard } from './trackers/dashboards/store-dashboard.ts'
import type { SyncWebhooks } from './trackers/definition/sync-webhooks.ts'
import type { SyncIndex } from './trackers/definition/sync-index.ts'
import { erasePrivateReports } from './trackers/reports/private-reports.ts'
import { trackersUsingGroup } from './trackers/trackers-using-group.ts'
import { countTrackers, purgeTrackersOfProject } from './trackers/trackers-of-project.ts'

/** Users who created or changed artifacts. */
export const ARTIFACT_PEOPLE: ArtifactPeople = peopleOfArtifacts

/** Sources of the activity list of a project. */
export const ACTIVITY_SOURCES: readonly ActivitySource[] = [projectActivity, artifactActivity]

/** Kinds of objects that a keyword search finds. */
export const SEARCHED_KINDS: readonly SearchedKind[] = [searchedArtifacts, searchedProjects, searchedRepositories]

/** Kinds that a quick search finds, besides projects and people. */
export const QUICK_KINDS: QuickKinds = {
  artifacts: findQuickArtifacts,
  trackers: findQuickTrackers,
  files: findQuickFiles,
  commits: findQuickCommits,
}

/** Kinds of references in texts. */
export const REFERENCE_KINDS: readonly ReferenceKind[] = SYSTEM_KINDS

/** Reference keywords of a project: the item names of its trackers. */
export const OWN_KEYWORDS: OwnKeywords = itemNames

/** Imported artifacts by their source keys. */
export const FIND_BY_KEYS: FindByKeys = findByKeys

/** Objects that addresses may name instead of giving an id. */
export const NAMED_OBJECTS: readonly NamedObjects[] = [namedArtifacts, namedProjects, namedTrackers, namedUsers]

/** References to artifacts from outside of artifact texts. */
export const INCOMING_REFERENCES: readonly IncomingReferences[] = [commitsReferringTo]

/** Counters of the contents of a deleted project. */
export const PROJECT_CONTENTS: readonly ProjectContents[] = [
  countTrackers,
  countFiles,
  countRepositories,
  countWebhooks,
  countMembers,
]

/** Each comes before those whose rows it refers to. */
export const PROJECT_PURGERS: readonly ProjectPurger[] = [
  purgeFeedOfProject,
  purgeRepositoriesOfProject,
  purgeArtifactsOfProject,
  purgeTrackersOfProject,
]

/** Objects that refer to a group. */
export const GROUP_USES: readonly FindGroupUses[] = [trackersUsingGroup, artifactsUsingGroup, repositoriesUsingGroup]

/** The trash besides artifacts, trackers and projects. */
export const FURTHER_TRASH = deletedRepositories

/** Callbacks that refuse or clean up when an account is erased. */
export const ON_ERASE: readonly Eraser[] = [
  eraseMember,
  eraseInArchives,
  erasePrivateReports,
  eraseDashboard,
  erasePersonalLists,
  eraseReactions,
  eraseUploads,
  eraseInRepositories,
  eraseAuthor,
  eraseInDeliveries,
  eraseNotifications,
]

/** Callbacks when a login changes. */
export const ON_RENAME: readonly Renamer[] = [renameInArchives, renameInAccessFiles]

/** The files of a personal data export. */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  ...ACCOUNT_EXPORTS,
  membershipExport,
  uploadsExport,
  ...ARTIFACT_EXPORTS,
  ...COMMENT_EXPORTS,
  ...PERSONAL_LIST_EXPORTS,
  dashboardExport,
  watchesExport,
]

/** The projects in which an account administers a tracker. */
export const ADMINISTERED_TRACKER: AdministeredTracker = administersATracker

/** Syncs the webhooks of a tracker with its definition. */
export const FOLLOW_HOOKS: SyncWebhooks = syncWebhooksWithDefinition
/** Syncs the artifact index with the tracker definition. */
export const FOLLOW_INDEX: SyncIndex = renumberDates
/** Copies the trackers of a template into a new project. */
export const COPY_TEMPLATE: CopyTemplate = instantiateTrackers
/** The recipients who would be notified of a version. */
export const NOTIFIED_PEOPLE: FindNotifiedPeople = dryRunNotices

/** Groups of projects that providers of identity give to people. */
export const IDENTITY_GROUPS: IdentityGroups = identityGroups
