import { sql } from 'kysely'
import { ACCOUNT_EXPORTS } from './accounts/exports/account-exports.ts'
import type { ExportSource } from './accounts/exports/export-source.ts'
import type { Eraser } from './accounts/users/erase-user.ts'
import type { ActivitySource } from './projects/activity/activity-source.ts'
import { projectActivity } from './projects/activity/project-activity.ts'
import { eraseMember } from './projects/erase-member.ts'
import { membershipExport } from './projects/export-memberships.ts'
import type { AdministeredTracker } from './projects/list-projects.ts'
import { type ReferenceKind, SYSTEM_KINDS } from './projects/references/reference-kind.ts'

/** Where the activity of a project comes from. */
export const ACTIVITY_SOURCES: readonly ActivitySource[] = [projectActivity]

/** What a text may refer to. */
export const REFERENCE_KINDS: readonly ReferenceKind[] = SYSTEM_KINDS

/** Who is asked, and removes what they keep, when a person is erased. */
export const ON_ERASE: readonly Eraser[] = [eraseMember]

/** What a person gets who asks for all that is kept about him: a file each. */
export const EXPORT_SOURCES: readonly ExportSource[] = [...ACCOUNT_EXPORTS, membershipExport]

/** There are no trackers yet, so nobody administers one. */
export const ADMINISTERED_TRACKER: AdministeredTracker = () => sql`false`
