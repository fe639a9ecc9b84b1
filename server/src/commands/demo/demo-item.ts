import type { DEMO_TEAM } from './demo-people.ts'

type Member = (typeof DEMO_TEAM)[number]

/** A comment on a day, after the other changes of that day. */
export interface DemoComment {
  readonly day: number
  readonly by: Member
  readonly text: string
  /** Members who react with a thumb. */
  readonly liked?: readonly Member[]
}

/** An edit of fields on a day. */
export interface DemoEdit {
  readonly day: number
  readonly by: Member
  readonly values?: Readonly<Record<string, unknown>>
  /** Another due day. */
  readonly due?: number
}

/** An artifact of the demo. Days count backwards from today, as working days; due days count forwards. */
export interface DemoItem {
  readonly title: string
  /** Markdown. `[[title]]` is a reference to an artifact that is older. */
  readonly text?: string
  /** The day on which it was created. */
  readonly day: number
  readonly by: Member
  readonly to?: Member | readonly Member[]
  readonly due?: number
  readonly tags?: readonly string[]
  /** Further fields, by name. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Changes of the status, such as `Confirmed@19 In progress@12`, with the days. */
  readonly moves?: string
  /** The comment of a move to Rejected. */
  readonly reason?: string
  readonly comments?: readonly DemoComment[]
  readonly edits?: readonly DemoEdit[]
  /** The day on which it is linked, if artifacts of other trackers are younger. */
  readonly linkedOn?: number
  /** Titles of its children. */
  readonly children?: readonly string[]
  /** Titles of the artifacts that it blocks. */
  readonly blocks?: readonly string[]
  readonly files?: readonly string[]
}
