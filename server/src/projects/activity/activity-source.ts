import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { FoundProject } from '../find-project.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** The sources of project activity. Modules above provide them in `ports.ts`. */
    readonly activitySources: readonly ActivitySource[]
  }
}

export interface ActivityEntry {
  readonly on: Date
  /** Sanitized HTML: every text in it is escaped. */
  readonly html_message: string
  readonly icon_name: string
  readonly actor_id: AccountId | null
}

export interface RecentActivity {
  /** The activity that the viewer may read, newest first. */
  readonly activities: readonly ActivityEntry[]
  /** Whether activity in the same period was omitted because the viewer may not read it. */
  readonly hides: boolean
}

export interface ActivityQuery {
  readonly context: Context
  readonly viewer: Viewer
  readonly project: FoundProject
  readonly language: Catalogue
  readonly limit: number
}

export type ActivitySource = (asked: ActivityQuery) => Promise<RecentActivity>
