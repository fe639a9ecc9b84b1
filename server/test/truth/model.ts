// What the oracle knows of the world: plain values, as they were written. Nothing here comes from the server's code.

export type Group = '@anonymous' | '@registered' | '@members' | '@admins' | 'leads'

/** Somebody who asks or writes; nobody in particular has no login. */
export interface Viewer {
  readonly name: string
  readonly id?: number
  readonly login?: string
  readonly groups: readonly Group[]
  /** Administers every tracker of the project. */
  readonly administers: boolean
  /** Reads every field, too. */
  readonly isSiteAdmin: boolean
  readonly zone: string
}

export type FieldKind =
  | 'text'
  | 'number'
  | 'day'
  | 'instant'
  | 'static'
  | 'users'
  | 'groups'
  | 'open'
  | 'links'
  | 'perm'
  | 'computed'
  | 'cross'
  | 'aid'
  | 'atid'
  | 'priority'
  | 'subby'
  | 'luby'
  | 'subon'
  | 'lud'

export interface Field {
  readonly name: string
  readonly type: string
  readonly kind: FieldKind
  readonly readers: readonly Group[]
  readonly isMultiple: boolean
  /** Of lists: what can be chosen, in its order; of open lists also what people have added. */
  readonly options: readonly Option[]
  readonly id: number
}

export interface Option {
  /** The label, the login or the short name: what the query language calls it. */
  readonly label: string
  /** What criteria call it. */
  readonly id: number | string
}

export interface Tracker {
  readonly id: number
  readonly item_name: string
  readonly fields: readonly Field[]
  readonly access: Access
  /** Texts that are no longer in use; nothing was ever written into them. */
  readonly unused: readonly string[]
  readonly title: string
  readonly description?: string
  readonly status?: { readonly field: string; readonly open: readonly string[] }
  readonly contributor: string
}

/** Who sees the artifacts of a tracker. */
export interface Access {
  readonly full: readonly Group[]
  readonly submitted_by_user: readonly Group[]
  readonly submitted_by_group: readonly Group[]
  readonly assigned_to_group: readonly Group[]
}

/** What is absent is empty. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  /** `2026-03-01`. */
  | { readonly kind: 'day'; readonly day: string }
  /** Milliseconds since 1970. */
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'chosen'; readonly labels: readonly string[] }

export interface Link {
  readonly to: number
  readonly type: string
}

export interface Comment {
  readonly text: string
  /** Who alone may read it; absent: whoever sees the artifact. */
  readonly groups?: readonly Group[]
}

/** The whole of what an artifact was from then on. */
export interface Version {
  readonly at: number
  readonly by: string
  readonly values: Readonly<Record<string, Value>>
  readonly links: readonly Link[]
  readonly restricted_to?: readonly Group[]
  readonly comment?: Comment
}

export interface Artifact {
  readonly id: number
  readonly tracker: Tracker
  readonly number: number
  readonly rank: number
  readonly versions: readonly [Version, ...Version[]]
  readonly isDeleted: boolean
}

export interface World {
  readonly trackers: readonly [Tracker, ...Tracker[]]
  readonly artifacts: readonly Artifact[]
  /** Everybody who is named anywhere, by login. */
  readonly people: readonly Viewer[]
  readonly linkTypes: readonly string[]
  readonly now: number
}

export function lastOf({ versions }: Pick<Artifact, 'versions'>): Version {
  return versions.at(-1) ?? versions[0]
}
