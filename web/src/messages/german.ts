import { GERMAN_ACCOUNT } from './german/account.ts'
import { GERMAN_ACROSS } from './german/across.ts'
import { GERMAN_ARTIFACTS } from './german/artifacts.ts'
import { GERMAN_BOARD } from './german/board.ts'
import { GERMAN_COMMENTS } from './german/comments.ts'
import { GERMAN_DASHBOARD } from './german/dashboard.ts'
import { GERMAN_DIRECTORIES } from './german/directories.ts'
import { GERMAN_HOME } from './german/home.ts'
import { GERMAN_IDENTITY } from './german/identity.ts'
import { GERMAN_INBOX } from './german/inbox.ts'
import { GERMAN_JOBS_AND_TRASH } from './german/jobs-and-trash.ts'
import { GERMAN_LINK_TYPES } from './german/link-types.ts'
import { GERMAN_NEW_TRACKER } from './german/new-tracker.ts'
import { GERMAN_PEEK } from './german/peek.ts'
import { GERMAN_PROJECTS } from './german/projects.ts'
import { GERMAN_REPOSITORY_BROWSER } from './german/repository-browser.ts'
import { GERMAN_REPOSITORY_SETTINGS } from './german/repository-settings.ts'
import { GERMAN_SEARCH } from './german/search.ts'
import { GERMAN_SHELL } from './german/shell.ts'
import { GERMAN_SHORTCUTS } from './german/shortcuts.ts'
import { GERMAN_SITE_SETTINGS } from './german/site-settings.ts'
import { GERMAN_TIME_TRAVEL } from './german/time-travel.ts'
import { GERMAN_TRACKER_FORM } from './german/tracker-form.ts'
import { GERMAN_TRACKER_PLAN } from './german/tracker-plan.ts'
import { GERMAN_TRACKER_RULES } from './german/tracker-rules.ts'
import { GERMAN_TRACKER_WORKFLOW } from './german/tracker-workflow.ts'
import { GERMAN_TRACKERS } from './german/trackers.ts'
import { GERMAN_USERS } from './german/users.ts'
import { GERMAN_WATCHING } from './german/watching.ts'
import { GERMAN_WEBHOOKS } from './german/webhooks.ts'
import { GERMAN_WORK } from './german/work.ts'
import type { ACCOUNT_MESSAGES } from './account.ts'
import type { ACROSS } from './across.ts'
import type { ADMINISTRATION } from './administration.ts'
import type { ARTIFACTS } from './artifacts.ts'
import type { BOARD } from './board.ts'
import type { COMMENT_MESSAGES } from './comments.ts'
import type { DASHBOARD } from './dashboard.ts'
import type { DIRECTORY_MESSAGES } from './directories.ts'
import type { ENGLISH } from './english.ts'
import type { IDENTITY_MESSAGES } from './identity.ts'
import type { INBOX } from './inbox.ts'
import type { LINK_TYPE_MESSAGES } from './link-types.ts'
import type { NEW_TRACKER } from './new-tracker.ts'
import type { PEEK } from './peek.ts'
import type { PROJECT_MESSAGES } from './projects.ts'
import type { REPOSITORIES } from './repositories.ts'
import type { SEARCH } from './search.ts'
import type { SHORTCUTS } from './shortcuts.ts'
import type { SITE_SETTINGS } from './site-settings.ts'
import type { TIME_TRAVEL } from './time-travel.ts'
import type { TRACKER_ADMINISTRATION } from './tracker-administration.ts'
import type { TRACKER_RULES } from './tracker-rules.ts'
import type { TRACKERS } from './trackers.ts'
import type { WATCHING } from './watching.ts'
import type { WEBHOOK_MESSAGES } from './webhooks.ts'
import type { WORK } from './work.ts'

type EnglishKey =
  | keyof typeof ACCOUNT_MESSAGES
  | keyof typeof ACROSS
  | keyof typeof ADMINISTRATION
  | keyof typeof ARTIFACTS
  | keyof typeof BOARD
  | keyof typeof COMMENT_MESSAGES
  | keyof typeof DASHBOARD
  | keyof typeof DIRECTORY_MESSAGES
  | keyof typeof ENGLISH
  | keyof typeof IDENTITY_MESSAGES
  | keyof typeof INBOX
  | keyof typeof LINK_TYPE_MESSAGES
  | keyof typeof NEW_TRACKER
  | keyof typeof PEEK
  | keyof typeof PROJECT_MESSAGES
  | keyof typeof REPOSITORIES
  | keyof typeof SEARCH
  | keyof typeof SHORTCUTS
  | keyof typeof SITE_SETTINGS
  | keyof typeof TIME_TRAVEL
  | keyof typeof TRACKER_ADMINISTRATION
  | keyof typeof TRACKER_RULES
  | keyof typeof TRACKERS
  | keyof typeof WATCHING
  | keyof typeof WEBHOOK_MESSAGES
  | keyof typeof WORK

/** All German texts of the pages; loaded at once, by readers of German only. */
export const GERMAN = {
  ...GERMAN_SHELL,
  ...GERMAN_SEARCH,
  ...GERMAN_SHORTCUTS,
  ...GERMAN_ACCOUNT,
  ...GERMAN_HOME,
  ...GERMAN_DIRECTORIES,
  ...GERMAN_IDENTITY,
  ...GERMAN_INBOX,
  ...GERMAN_WATCHING,
  ...GERMAN_WORK,
  ...GERMAN_PROJECTS,
  ...GERMAN_ARTIFACTS,
  ...GERMAN_COMMENTS,
  ...GERMAN_TRACKERS,
  ...GERMAN_ACROSS,
  ...GERMAN_BOARD,
  ...GERMAN_DASHBOARD,
  ...GERMAN_LINK_TYPES,
  ...GERMAN_NEW_TRACKER,
  ...GERMAN_PEEK,
  ...GERMAN_REPOSITORY_BROWSER,
  ...GERMAN_REPOSITORY_SETTINGS,
  ...GERMAN_TRACKER_PLAN,
  ...GERMAN_TIME_TRAVEL,
  ...GERMAN_TRACKER_FORM,
  ...GERMAN_TRACKER_RULES,
  ...GERMAN_TRACKER_WORKFLOW,
  ...GERMAN_WEBHOOKS,
  ...GERMAN_USERS,
  ...GERMAN_JOBS_AND_TRASH,
  ...GERMAN_SITE_SETTINGS,
} as const satisfies Record<EnglishKey, string>
