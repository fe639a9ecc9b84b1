import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { itemNamesSeen } from '../../trackers/item-names.ts'
import { isKeyword } from '../../projects/references/reference-kind.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { FoundArtifact, IncomingRow, ReferenceRow } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
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
  for (const row of found.outgoing) {
    const isKnown = names.has(row.keyword) || isKeyword(audience.context.referenceKinds, row.keyword)
    if (!isKnown || !mayReadText(found.access, row)) continue
    out.set(row.ref, {
      ref: row.ref,
      url: urlOf(audience, row.keyword, row.value, row.of_project),
      target: row.target_id,
    })
  }
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
