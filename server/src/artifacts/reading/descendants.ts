import { sql } from 'kysely'
import { accessVersion } from '../../trackers/load-tracker.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, FieldId, StoredValues, TrackerId } from '../../trackers/tracker.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './audience.ts'

/** A visible artifact below another one. */
export interface Descendant {
  readonly id: ArtifactId
  readonly access: TrackerAccess
  readonly values: StoredValues
  readonly submitted_on: Date
}

/** Children by parent. Invisible artifacts and everything below them are omitted. */
export type Family = ReadonlyMap<ArtifactId, readonly Descendant[]>

/** The stored value of a descendant's field, now or at some moment; undefined or null if empty. */
type Stored = (descendant: Descendant, field: FieldId) => unknown

export function storedNow({ values }: Descendant, field: FieldId): unknown {
  return values[String(field)]
}

/**
 * Loads the descendants that a sum needs, level by level: descends where a child computes the number itself.
 * `everything`: also where a manual value is set now, because it may not have been set in the past.
 */
export async function findFamily(
  audience: Audience,
  roots: readonly ArtifactId[],
  name: string,
  { everything = false, known = [] }: { everything?: boolean; known?: Iterable<[ArtifactId, Descendant[]]> } = {},
): Promise<Family> {
  const family = new Map<ArtifactId, Descendant[]>(known)
  const stored: Stored = everything ? () => null : storedNow
  for (;;) {
    const missing = new Set<ArtifactId>()
    for (const root of roots) sumDescendants(family, root, name, stored, (parent) => missing.add(parent))
    if (missing.size === 0) return family
    for (const id of missing) family.set(id, [])
    for (const { parent_id, ...child } of await findChildren(audience, [...missing])) family.get(parent_id)?.push(child)
  }
}

/**
 * The sum of a field over the children: the number of each child, or the sum below it if it is computed. Each artifact
 * counts once, even if reachable by several links. Null if there is no number.
 */
export function sumDescendants(
  family: Family,
  root: ArtifactId,
  name: string,
  stored: Stored,
  onMissing: (parent: ArtifactId) => void = () => {},
): number | null {
  const seen = new Set<ArtifactId>([root])
  let sum: number | null = null
  let level: { id: ArtifactId; name: string }[] = [{ id: root, name }]
  while (level.length > 0) {
    const next: typeof level = []
    for (const parent of level) {
      const children = family.get(parent.id)
      if (!children) onMissing(parent.id)
      for (const child of children ?? []) {
        const field = readableNumberField(child.access, parent.name)
        if (!field || seen.has(child.id)) continue
        seen.add(child.id)
        const amount = stored(child, field.id)
        const summed = fieldTypeOf(field).sums?.(field)
        if (typeof amount === 'number') sum = (sum ?? 0) + amount
        else if (summed !== undefined) next.push({ id: child.id, name: summed })
      }
    }
    level = next
  }
  return sum
}

/** The number field with this name, if the viewer may read it. */
export function readableNumberField({ tracker, mayRead }: TrackerAccess, name: string): Element | undefined {
  const field = tracker.byName.get(name)
  return field && fieldTypeOf(field).isAmount && mayRead(field) ? field : undefined
}

interface Row extends Omit<Descendant, 'access'> {
  readonly parent_id: ArtifactId
  readonly tracker_id: TrackerId
  readonly stamp: string
}

/** The children that were loaded with the artifact. */
export async function childrenOf({ context, db, viewer }: Audience, { forward }: FoundArtifact): Promise<Descendant[]> {
  const children: Descendant[] = []
  for (const {
    id,
    tracker: { id: tracker_id },
    child,
  } of forward) {
    const tracker = child && (await context.trackers.at(db, tracker_id, child.stamp))
    if (!tracker) continue
    const access = await getTrackerAccess(db, tracker, viewer)
    children.push({ id, access, values: child.values, submitted_on: new Date(child.submitted_on) })
  }
  return children
}

export async function findChildren(
  { context, db, viewer }: Audience,
  parents: readonly ArtifactId[],
): Promise<(Descendant & { parent_id: ArtifactId })[]> {
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<Row>`
    select link.source_id as parent_id, artifact.id, artifact.tracker_id, artifact.field_values as "values",
      artifact.submitted_on, ${accessVersion} as stamp
    from artifact_link link join artifact on artifact.id = link.target_id ${joined}
    where link.source_id = any(${parents}::bigint[]) and link.type = ${CHILD} and ${maySeeArtifact(viewer, joined)}
    order by artifact.id`.execute(db)
  const found: (Descendant & { parent_id: ArtifactId })[] = []
  for (const { tracker_id, stamp: seen, ...row } of rows) {
    const tracker = await context.trackers.at(db, tracker_id, seen)
    if (tracker) found.push({ ...row, access: await getTrackerAccess(db, tracker, viewer) })
  }
  return found
}
