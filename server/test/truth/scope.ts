import type { Artifact, Field, Tracker, Version, Viewer, World } from './model.ts'
import type { Refusal } from './query.ts'
import { readsField } from './sight.ts'

/** Where a condition is asked: by whom, when, and of what trackers. */
export interface Scope {
  readonly world: World
  readonly viewer: Viewer
  readonly trackers: readonly Tracker[]
  readonly now: number
  /** Conditions are tested against what was current then; absent: against what is. */
  readonly at?: number
  /** Everything that is wrong with the query, in the order in which it is written. */
  readonly refusals: Refusal[]
}

/** An artifact at one moment. */
export interface Seen {
  readonly artifact: Artifact
  readonly version: Version
  /** All up to this one. */
  readonly versions: readonly Version[]
}

export type Test = (seen: Seen) => boolean

/** A query that is refused is tested against nothing. */
export function refuse({ refusals }: Scope, reason: string, cause?: string): Test {
  refusals.push({ reason, ...(cause !== undefined && { cause }) })
  return () => false
}

/** Undefined: it was not there yet. */
export function seenAt(artifact: Artifact, at: number | undefined): Seen | undefined {
  const versions = artifact.versions.filter((version) => at === undefined || version.at <= at)
  const version = versions.at(-1)
  return version && { artifact, version, versions }
}

/** A field that the viewer may not read is none. One that is not used any more can be named where the past is asked. */
export function readable({ viewer, at }: Scope, { fields, unused }: Tracker, name: string): Field | undefined {
  if (at !== undefined && unused.includes(name)) return { ...UNUSED, name }
  const field = fields.find((each) => each.name === name)
  return field && readsField(viewer, field) ? field : undefined
}

const UNUSED: Field = { name: '', type: 'string', kind: 'text', readers: [], isMultiple: false, options: [], id: 0 }
