import { sql } from 'kysely'
import { stamp } from '../../trackers/load-tracker.ts'
import { type Sight, sightOf } from '../../trackers/sight.ts'
import type { Element, FieldId, StoredValues, TrackerId } from '../../trackers/tracker.ts'
import { summedName } from '../../trackers/fields/computed.ts'
import type { ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import { itsPlaceFor, maySeeArtifact } from '../visibility.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './reading.ts'

/** An artifact below another one, as the viewer sees it. */
export interface Descendant {
  readonly id: ArtifactId
  readonly sight: Sight
  readonly values: StoredValues
  readonly submitted_on: Date
}

/** Children by their parents. What the viewer may not see is not there, and so nothing that is below it. */
export type Family = ReadonlyMap<ArtifactId, readonly Descendant[]>

/** What is stored in a field of a descendant, now or at some moment; undefined and null: nothing. */
type Stored = (descendant: Descendant, field: FieldId) => unknown

export function storedNow({ values }: Descendant, field: FieldId): unknown {
  return values[String(field)]
}

/**
 * Finds what the sum of a field is made of, level by level: descends where a child computes the number itself.
 * `everything`: also where it was typed instead, which it was not always.
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
    for (const root of roots) addUp(family, root, name, stored, (parent) => missing.add(parent))
    if (missing.size === 0) return family
    for (const id of missing) family.set(id, [])
    for (const { parent_id, ...child } of await findChildren(audience, [...missing])) family.get(parent_id)?.push(child)
  }
}

/**
 * The sum of a field over the children: of each its number, or, where it computes one itself, what is below it. Each
 * artifact counts once, however many ways lead to it. Null: there is no number.
 */
export function addUp(
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
        const field = numberNamed(child.sight, parent.name)
        if (!field || seen.has(child.id)) continue
        seen.add(child.id)
        const amount = stored(child, field.id)
        if (typeof amount === 'number') sum = (sum ?? 0) + amount
        else if (field.type === 'computed') next.push({ id: child.id, name: summedName(field) })
      }
    }
    level = next
  }
  return sum
}

/** The field that adds to a sum, if the viewer may read it. */
export function numberNamed({ tracker, mayRead }: Sight, name: string): Element | undefined {
  const field = tracker.byName.get(name)
  return field && ['int', 'float', 'computed'].includes(field.type) && mayRead(field) ? field : undefined
}

interface Row extends Omit<Descendant, 'sight'> {
  readonly parent_id: ArtifactId
  readonly tracker_id: TrackerId
  readonly stamp: string
}

/** The children that came with the artifact itself. */
export async function childrenOf({ context, db, viewer }: Audience, { forward }: FoundArtifact): Promise<Descendant[]> {
  const children: Descendant[] = []
  for (const {
    id,
    tracker: { id: tracker_id },
    child,
  } of forward) {
    const tracker = child && (await context.trackers.at(db, tracker_id, child.stamp))
    if (!tracker) continue
    const sight = await sightOf(db, tracker, viewer)
    children.push({ id, sight, values: child.values, submitted_on: new Date(child.submitted_on) })
  }
  return children
}

export async function findChildren(
  { context, db, viewer }: Audience,
  parents: readonly ArtifactId[],
): Promise<(Descendant & { parent_id: ArtifactId })[]> {
  const { rows } = await sql<Row>`
    select link.source_id as parent_id, artifact.id, artifact.tracker_id, artifact.field_values as "values",
      artifact.submitted_on, ${stamp} as stamp
    from artifact_link link join artifact on artifact.id = link.target_id ${itsPlaceFor(viewer)}
    where link.source_id = any(${parents}::bigint[]) and link.type = ${CHILD} and ${maySeeArtifact(viewer)}
    order by artifact.id`.execute(db)
  const found: (Descendant & { parent_id: ArtifactId })[] = []
  for (const { tracker_id, stamp: seen, ...row } of rows) {
    const tracker = await context.trackers.at(db, tracker_id, seen)
    if (tracker) found.push({ ...row, sight: await sightOf(db, tracker, viewer) })
  }
  return found
}
