import type { Catalogue } from '../../platform/words/catalogue.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { FoundProject } from '../find-project.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Where the activity of a project comes from. Rooms above fill it in `ports.ts`. */
    readonly activitySources: readonly ActivitySource[]
  }
}

export interface Activity {
  readonly on: Date
  /** Safe HTML: every text in it was escaped. */
  readonly html_message: string
  readonly icon_name: string
  readonly actor_id: AccountId | null
}

export interface RecentActivity {
  /** What the viewer may read, the latest first. */
  readonly activities: readonly Activity[]
  /** Whether something as recent was left out, because he may not read it. */
  readonly hides: boolean
}

export interface Asked {
  readonly context: Context
  readonly viewer: Viewer
  readonly project: FoundProject
  readonly language: Catalogue
  readonly limit: number
}

export type ActivitySource = (asked: Asked) => Promise<RecentActivity>
