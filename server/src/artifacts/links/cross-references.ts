import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { itemNamesSeen } from '../../trackers/item-names.ts'
import { isKeyword } from '../../projects/references/reference-kind.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import { KEY_KEYWORD, preferProject } from '../../projects/references/source-keys.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { IncomingRow, ReferenceRow } from '../reading/look-rows.ts'
import type { Audience } from '../reading/audience.ts'
import type { ArtifactId } from '../artifact.ts'
import type { IncomingReference } from './incoming-references.ts'

type Direction = ReadContext['references'][number]['direction']

/**
 * References from and to the texts of an artifact that the viewer may read: outgoing ones first, then incoming ones,
 * then those in both directions.
 */
export async function crossReferences(
  audience: Audience,
  found: FoundArtifact,
  others: readonly IncomingReference[],
): Promise<ReadContext['references']> {
  if (!found.access.readable.some((element) => fieldTypeOf(element).needs?.includes('references'))) return []
  const names = itemNamesSeen(found.access)
  const out = new Map<string, { ref: string; url: string; target: number | null }>()
  const isKnown = (keyword: string) => names.has(keyword) || isKeyword(audience.context.referenceKinds, keyword)
  for (const row of found.outgoing) {
    if (!isKnown(row.keyword) || !mayReadText(found.access, row)) continue
    out.set(row.ref, {
      ref: row.ref,
      url: urlOf(audience, row.keyword, row.value, row.of_project),
      target: row.target_id,
    })
  }
  for (const [key, targets] of keyReferences(found))
    for (const target of targets)
      out.set(`${key} ${target}`, {
        ref: key,
        url: urlOf(audience, 'art', String(target), found.artifact.project_id),
        target,
      })
  const sources = new Map<number, number>()
  for (const row of found.incoming) if (await mayReadThere(audience, row)) sources.set(row.artifact_id, row.project_id)
  const references: { ref: string; url: string; direction: Direction }[] = []
  for (const { ref, url, target } of out.values())
    references.push({ ref, url, direction: target !== null && sources.has(target) ? 'both' : 'out' })
  const answered = new Set([...out.values()].flatMap(({ target }) => (target === null ? [] : [target])))
  for (const [id, project] of sources) {
    if (answered.has(id)) continue
    references.push({ ref: `art #${id}`, url: urlOf(audience, 'art', String(id), project), direction: 'in' })
  }
  for (const { ref, keyword, value, project_id } of others) {
    const known = references.find((one) => one.ref === ref)
    if (known) known.direction = 'both'
    else references.push({ ref, url: urlOf(audience, keyword, value, project_id), direction: 'in' })
  }
  return references.toSorted((one, other) => ORDER.indexOf(one.direction) - ORDER.indexOf(other.direction))
}

/** The artifacts that each source key in the artifact's texts means to the viewer, in the order of their ids. */
export function keyReferences({
  access,
  artifact,
  outgoing,
}: Pick<FoundArtifact, 'access' | 'artifact' | 'outgoing'>): ReadonlyMap<string, readonly ArtifactId[]> {
  const rows = outgoing.filter((row) => row.keyword === KEY_KEYWORD && mayReadText(access, row))
  const byKey = Map.groupBy(rows, ({ value }) => value)
  return new Map(
    [...byKey].map(([key, named]) => {
      const near = preferProject(named, ({ of_project }) => of_project === artifact.project_id)
      const ids = new Set(near.flatMap(({ target_id }) => target_id ?? []))
      return [key, [...ids].toSorted((one, other) => one - other)]
    }),
  )
}

const ORDER: readonly Direction[] = ['out', 'in', 'both']

function mayReadText(access: TrackerAccess, row: Pick<ReferenceRow, 'field_id' | 'comment_groups'>): boolean {
  if (row.field_id === 0)
    return (
      row.comment_groups === null || access.administers || row.comment_groups.some((group) => access.groups.has(group))
    )
  return access.readable.some(({ id }) => id === row.field_id)
}

async function mayReadThere({ context, db, viewer }: Audience, row: IncomingRow): Promise<boolean> {
  const tracker = await context.trackers.at(db, row.tracker_id, row.stamp)
  return tracker !== undefined && mayReadText(await getTrackerAccess(db, tracker, viewer), row)
}

function urlOf({ context }: Audience, keyword: string, value: string, project: number): string {
  return new URL(gotoPath(keyword, value, project), context.config.WAYPOST_PUBLIC_URL).href
}
