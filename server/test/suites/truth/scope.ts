import type { OracleArtifact, OracleField, OracleTracker, OracleVersion, OracleViewer, OracleWorld } from './model.ts'
import type { OracleRefusal } from './query.ts'
import { readsField } from './visibility.ts'

/** The context of a condition: viewer, time and trackers. */
export interface Scope {
  readonly world: OracleWorld
  readonly viewer: OracleViewer
  readonly trackers: readonly OracleTracker[]
  readonly now: number
  /** The time for which conditions are tested; absent: now. */
  readonly at?: number
  /** All errors of the query, in the order of its text. */
  readonly refusals: OracleRefusal[]
}

/** An artifact at a point in time. */
export interface ArtifactSnapshot {
  readonly artifact: OracleArtifact
  readonly version: OracleVersion
  /** All versions up to this one. */
  readonly versions: readonly OracleVersion[]
}

export type Test = (seen: ArtifactSnapshot) => boolean

/** A refused query matches nothing. */
export function refuseQuery({ refusals }: Scope, reason: string, cause?: string): Test {
  refusals.push({ reason, ...(cause !== undefined && { cause }) })
  return () => false
}

/** Undefined: it did not exist yet. */
export function snapshotAt(artifact: OracleArtifact, at: number | undefined): ArtifactSnapshot | undefined {
  const versions = artifact.versions.filter((version) => at === undefined || version.at <= at)
  const version = versions.at(-1)
  return version && { artifact, version, versions }
}

/** An unreadable field counts as unknown. An unused one can be named in queries on the past. */
export function readableField(
  { viewer, at }: Scope,
  { fields, unused }: OracleTracker,
  name: string,
): OracleField | undefined {
  if (at !== undefined && unused.includes(name)) return { ...UNUSED, name }
  const field = fields.find((each) => each.name === name)
  return field && readsField(viewer, field) ? field : undefined
}

const UNUSED: OracleField = {
  name: '',
  type: 'string',
  kind: 'text',
  readers: [],
  isMultiple: false,
  options: [],
  id: 0,
}
