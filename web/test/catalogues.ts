import { ACCOUNT_MESSAGES } from '../src/messages/account.ts'
import { ACROSS } from '../src/messages/across.ts'
import { ADMINISTRATION } from '../src/messages/administration.ts'
import { ARTIFACTS } from '../src/messages/artifacts.ts'
import { BOARD } from '../src/messages/board.ts'
import { COMMENT_MESSAGES } from '../src/messages/comments.ts'
import { DASHBOARD } from '../src/messages/dashboard.ts'
import { ENGLISH } from '../src/messages/english.ts'
import { DIRECTORY_MESSAGES } from '../src/messages/directories.ts'
import { IDENTITY_MESSAGES } from '../src/messages/identity.ts'
import { INBOX } from '../src/messages/inbox.ts'
import { LINK_TYPE_MESSAGES } from '../src/messages/link-types.ts'
import { NEW_TRACKER } from '../src/messages/new-tracker.ts'
import { PEEK } from '../src/messages/peek.ts'
import { PROJECT_MESSAGES } from '../src/messages/projects.ts'
import { REPOSITORIES } from '../src/messages/repositories.ts'
import { SEARCH } from '../src/messages/search.ts'
import { SHORTCUTS } from '../src/messages/shortcuts.ts'
import { SITE_SETTINGS } from '../src/messages/site-settings.ts'
import { TIME_TRAVEL } from '../src/messages/time-travel.ts'
import { TRACKER_ADMINISTRATION } from '../src/messages/tracker-administration.ts'
import { TRACKER_RULES } from '../src/messages/tracker-rules.ts'
import { TRACKERS } from '../src/messages/trackers.ts'
import { WATCHING } from '../src/messages/watching.ts'
import { WEBHOOK_MESSAGES } from '../src/messages/webhooks.ts'
import { WORK } from '../src/messages/work.ts'

/** All English texts of the pages, as they are loaded. */
export const CATALOGUES: readonly Readonly<Record<string, string>>[] = [
  ENGLISH,
  ARTIFACTS,
  COMMENT_MESSAGES,
  TRACKERS,
  BOARD,
  DASHBOARD,
  DIRECTORY_MESSAGES,
  IDENTITY_MESSAGES,
  INBOX,
  LINK_TYPE_MESSAGES,
  NEW_TRACKER,
  PEEK,
  PROJECT_MESSAGES,
  REPOSITORIES,
  TIME_TRAVEL,
  TRACKER_ADMINISTRATION,
  TRACKER_RULES,
  WATCHING,
  WEBHOOK_MESSAGES,
  WORK,
  ACCOUNT_MESSAGES,
  ADMINISTRATION,
  SITE_SETTINGS,
  SEARCH,
  ACROSS,
  SHORTCUTS,
]
