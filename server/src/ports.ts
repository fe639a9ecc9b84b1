import { ACCOUNT_EXPORTS } from './accounts/exports/account-exports.ts'
import type { ExportSource } from './accounts/exports/export-source.ts'
import type { Eraser } from './accounts/users/erase-user.ts'
import type { Renamer } from './accounts/users/update-user.ts'
import { artifactActivity } from './artifacts/artifact-activity.ts'
import { searchedArtifacts } from './artifacts/full-text/searched-artifacts.ts'
import { renumberDates } from './artifacts/search/renumber-dates.ts'
import { ARTIFACT_EXPORTS } from './artifacts/own-artifacts/export-own.ts'
import { peopleOfArtifacts } from './artifacts/people-of-artifacts.ts'
import { eraseInArchives, renameInArchives } from './artifacts/trash/archives/follow-people.ts'
import { eraseInDeliveries } from './feed/webhooks/clean-deliveries.ts'
import { followDefinition } from './feed/webhooks/follow-definition.ts'
import type { PeopleTold } from './artifacts/writing/people-told.ts'
import { rehearseNotices } from './feed/notifications/planning/rehearse-notices.ts'
import { eraseNotifications, watchesExport } from './feed/notifications/erase-notifications.ts'
import { eraseUploads, uploadsExport } from './files/free-uploads.ts'
import type { ActivitySource } from './projects/activity/activity-source.ts'
import { projectActivity } from './projects/activity/project-activity.ts'
import { eraseMember } from './projects/erase-member.ts'
import { membershipExport } from './projects/export-memberships.ts'
import type { AdministeredTracker } from './projects/list-projects.ts'
import type { OwnKeywords } from './projects/references/own-keywords.ts'
import { type ReferenceKind, SYSTEM_KINDS } from './projects/references/reference-kind.ts'
import type { SearchedKind } from './projects/search/searched-kind.ts'
import { searchedProjects } from './projects/search/searched-projects.ts'
import type { IncomingReferences } from './artifacts/links/incoming-references.ts'
import { commitsReferringTo } from './repositories/revisions/commits-referring-to.ts'
import { eraseAuthor } from './repositories/revisions/erase-author.ts'
import { eraseInRepositories, renameInAccessFiles } from './repositories/access/follow-logins.ts'
import { searchedRepositories } from './repositories/searched-repositories.ts'
import { deletedRepositories } from './repositories/trash/trashed-repository.ts'
import { administersATracker } from './trackers/administered-tracker.ts'
import type { ArtifactPeople } from './trackers/binds/population.ts'
import { itemNames } from './trackers/item-names.ts'
import type { FollowHooks } from './trackers/definition/follow-hooks.ts'
import type { FollowIndex } from './trackers/definition/follow-index.ts'
import { erasePrivateReports } from './trackers/reports/private-reports.ts'

/** Who has made or changed artifacts. */
export const ARTIFACT_PEOPLE: ArtifactPeople = peopleOfArtifacts

/** Where the activity of a project comes from. */
export const ACTIVITY_SOURCES: readonly ActivitySource[] = [projectActivity, artifactActivity]

/** What can be found by keywords. */
export const SEARCHED_KINDS: readonly SearchedKind[] = [searchedArtifacts, searchedProjects, searchedRepositories]

/** What a text may refer to. */
export const REFERENCE_KINDS: readonly ReferenceKind[] = SYSTEM_KINDS

/** What a text may refer to in one project, by the names of its trackers. */
export const OWN_KEYWORDS: OwnKeywords = itemNames

/** What refers to artifacts beside their own texts. */
export const INCOMING_REFERENCES: readonly IncomingReferences[] = [commitsReferringTo]

/** What is in the trash beside artifacts, trackers and projects. */
export const FURTHER_TRASH = deletedRepositories

/** Who is asked, and removes what they keep, when a person is erased. */
export const ON_ERASE: readonly Eraser[] = [
  eraseMember,
  eraseInArchives,
  erasePrivateReports,
  eraseUploads,
  eraseInRepositories,
  eraseAuthor,
  eraseInDeliveries,
  eraseNotifications,
]

/** Who is told when the name of a person has changed. */
export const ON_RENAME: readonly Renamer[] = [renameInArchives, renameInAccessFiles]

/** What a person gets who asks for all that is kept about him: a file each. */
export const EXPORT_SOURCES: readonly ExportSource[] = [
  ...ACCOUNT_EXPORTS,
  membershipExport,
  uploadsExport,
  ...ARTIFACT_EXPORTS,
  watchesExport,
]

/** In which projects somebody administers a tracker. */
export const ADMINISTERED_TRACKER: AdministeredTracker = administersATracker

/** Who makes the webhooks of a tracker what its definition lists. */
export const FOLLOW_HOOKS: FollowHooks = followDefinition
/** Who makes the index of artifacts fit the definition of their tracker. */
export const FOLLOW_INDEX: FollowIndex = renumberDates
/** Who would be told of a version. */
export const PEOPLE_TOLD: PeopleTold = rehearseNotices
