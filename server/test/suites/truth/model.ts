// The oracle's model of the world: plain values as written. Nothing here comes from the server's code.

export type OracleGroup = '@anonymous' | '@registered' | '@members' | '@admins' | 'leads'

/** A viewer or writer; anonymous ones have no login. */
export interface OracleViewer {
  readonly name: string
  readonly id?: number
  readonly login?: string
  readonly groups: readonly OracleGroup[]
  /** Administers every tracker of the project. */
  readonly administers: boolean
  /** Reads every field too. */
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

export interface OracleField {
  readonly name: string
  readonly type: string
  readonly kind: FieldKind
  readonly readers: readonly OracleGroup[]
  readonly isMultiple: boolean
  /** For lists, the options in their order; for open lists, including added ones. */
  readonly options: readonly OracleOption[]
  readonly id: number
}

export interface OracleOption {
  /** The label, login or short name, as used in the query language. */
  readonly label: string
  /** The id used in criteria. */
  readonly id: number | string
}

export interface OracleTracker {
  readonly id: number
  readonly item_name: string
  readonly fields: readonly OracleField[]
  readonly access: OracleAccess
  /** Text fields that are no longer in use and have no values. */
  readonly unused: readonly string[]
  readonly title: string
  readonly description?: string
  readonly status?: { readonly field: string; readonly open: readonly string[] }
  readonly contributor: string
}

/** The access rules of a tracker's artifacts. */
export interface OracleAccess {
  readonly full: readonly OracleGroup[]
  readonly submitted_by_user: readonly OracleGroup[]
  readonly submitted_by_group: readonly OracleGroup[]
  readonly assigned_to_group: readonly OracleGroup[]
}

/** Absent values are empty. */
export type OracleValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  /** `2026-03-01`. */
  | { readonly kind: 'day'; readonly day: string }
  /** Milliseconds since 1970. */
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'chosen'; readonly labels: readonly string[] }

export interface OracleLink {
  readonly to: number
  readonly type: string
}

export interface OracleComment {
  readonly text: string
  /** The groups that may read the artifact; absent: unrestricted. */
  readonly groups?: readonly OracleGroup[]
}

/** The full state of an artifact from this time on. */
export interface OracleVersion {
  readonly at: number
  readonly by: string
  readonly values: Readonly<Record<string, OracleValue>>
  readonly links: readonly OracleLink[]
  readonly restricted_to?: readonly OracleGroup[]
  readonly comment?: OracleComment
}

export interface OracleArtifact {
  readonly id: number
  readonly tracker: OracleTracker
  readonly number: number
  readonly rank: number
  readonly versions: readonly [OracleVersion, ...OracleVersion[]]
  readonly isDeleted: boolean
}

export interface OracleWorld {
  readonly trackers: readonly [OracleTracker, ...OracleTracker[]]
  readonly artifacts: readonly OracleArtifact[]
  /** All people by login. */
  readonly people: readonly OracleViewer[]
  readonly linkTypes: readonly string[]
  readonly now: number
}

export function lastVersion({ versions }: Pick<OracleArtifact, 'versions'>): OracleVersion {
  return versions.at(-1) ?? versions[0]
}
