import type { AccountId } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { Element, GroupNumber, TrackerId } from '../tracker.ts'

/** Names that a document uses instead of ids. */
export interface ReferenceNames {
  readonly nameOfGroup: (group: GroupNumber) => string
  readonly loginOf: (account: AccountId) => string
  /** Other trackers that can be referenced. */
  readonly trackers: readonly NamedTracker[]
}

/** Another tracker as this document references it. Parts that the viewer may not see are represented by id: `@7`. */
export interface NamedTracker {
  readonly id: TrackerId
  readonly project_id: ProjectId
  /** `bug`, or `orchard/bug` in another project. */
  readonly name: string
  readonly isSeen: boolean
  readonly elements: readonly Element[]
}

/** Everything that a document may reference or must not conflict with. */
export interface ReferenceLookup extends ReferenceNames {
  readonly project_id: ProjectId
  readonly groupNamed: (name: string) => GroupNumber | undefined
  readonly accountNamed: (login: string) => { readonly id: AccountId; readonly isUsable: boolean } | undefined
  readonly trackerNamed: (name: string) => NamedTracker | undefined
  readonly linkTypes: ReadonlySet<string>
  readonly isTaken: (item_name: string) => boolean
  /** For any tracker of the project, including deleted ones. */
  readonly parentOf: (tracker: TrackerId) => TrackerId | null
}

const GROUPS: readonly (readonly [GroupNumber, string, ...string[]])[] = [
  [1, '@anonymous', 'all_users'],
  [2, '@registered', 'registered_users'],
  [3, '@members', 'project_members'],
  [4, '@admins', 'project_admins'],
  [5, 'authenticated_users'],
  [19, 'svn_admins'],
  [100, 'nobody'],
]

/** Maps group names of a project. Platform groups come first; their names are reserved. */
export function groupNames(own: readonly { readonly id: number; readonly short_name: string }[]) {
  const names = new Map<GroupNumber, string>([
    ...GROUPS.map(([number, name]) => [number, name] as const),
    ...own.map(({ id, short_name }) => [id, short_name] as const),
  ])
  const numbers = new Map<string, GroupNumber>([
    ...own.map(({ id, short_name }) => [short_name, id] as const),
    ...GROUPS.flatMap(([number, ...all]) => all.map((name) => [name, number] as const)),
  ])
  return {
    nameOfGroup: (group: GroupNumber) => names.get(group) ?? `@${group}`,
    groupNamed: (name: string) => numbers.get(name),
  }
}
