import type { Page } from 'playwright-core'
import type { TestPerson } from '../../server/test/fixtures/people.ts'
import type { Crates } from './crates.ts'
import type { Deliveries } from './deliveries.ts'
import type { Say } from './say.ts'
import type { TestTimeline } from './timeline.ts'

/** The ids of the test data. */
export interface TestDataIds {
  /** The tracker with many rows. */
  readonly harvest: number
  readonly deliveries: Deliveries
  readonly crates: Crates
  /** A tracker with a history of some days, and with parents and children. */
  readonly timeline: TestTimeline
}

export interface Screen {
  readonly name: string
  /** A path, which may depend on the test data. */
  readonly path: string | ((made: TestDataIds) => string)
  readonly as?: TestPerson
  /** A text that is present when the screen has loaded. */
  readonly shows: string
  /** The part that other screens do not cover; absent: all of it. */
  readonly within?: string
  /** Repeated parts to skip. */
  readonly except?: string
  /** Steps to a state that has no address. */
  readonly prepare?: (page: Page, say: Say) => Promise<void>
}
