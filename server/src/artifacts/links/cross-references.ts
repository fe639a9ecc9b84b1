import type { Reading } from '../../trackers/fields/field-type.ts'
import { itemNamesSeen } from '../../trackers/item-names.ts'
import { isKeyword } from '../../projects/references/reference-kind.ts'
import { gotoPath } from '../../projects/references/goto-path.ts'
import { type Sight, sightOf } from '../../trackers/sight.ts'
import type { FoundArtifact, IncomingRow, ReferenceRow } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import type { IncomingReference } from './incoming-references.ts'

type Direction = Reading['references'][number]['direction']

/**
 * What the texts of an artifact refer to, and which texts refer to it, as far as the viewer may read those texts:
 * first those that lead away, then those that lead here, then those that do both.
 */
export async function crossReferences(
  audience: Audience,
  found: FoundArtifact,
  others: readonly IncomingReference[],
): Promise<Reading['references']> {
  if (!found.sight.readable.some(({ type }) => type === 'cross')) return []
  const names = itemNamesSeen(found.sight)
  const out = new Map<string, { ref: string; url: string; target: number | null }>()
  for (const row of found.outgoing) {
    const isKnown = names.has(row.keyword) || isKeyword(audience.context.referenceKinds, row.keyword)
    if (!isKnown || !mayReadText(found.sight, row)) continue
    out.set(row.ref, {
      ref: row.ref,
      url: urlOf(audience, row.keyword, row.value, row.of_project),
      target: row.target_id,
    })
  }
  const sources = new Map<number, number>()
  for (const row of found.incoming) if (await mayReadThere(audience, row)) sources.set(row.artifact_id, row.project_id)
  const told: { ref: string; url: string; direction: Direction }[] = []
  for (const { ref, url, target } of out.values())
    told.push({ ref, url, direction: target !== null && sources.has(target) ? 'both' : 'out' })
  const answered = new Set([...out.values()].flatMap(({ target }) => (target === null ? [] : [target])))
  for (const [id, project] of sources) {
    if (answered.has(id)) continue
    told.push({ ref: `art #${id}`, url: urlOf(audience, 'art', String(id), project), direction: 'in' })
  }
  for (const { ref, keyword, value, project_id } of others) {
    const known = told.find((one) => one.ref === ref)
    if (known) known.direction = 'both'
    else told.push({ ref, url: urlOf(audience, keyword, value, project_id), direction: 'in' })
  }
  return told.toSorted((one, other) => ORDER.indexOf(one.direction) - ORDER.indexOf(other.direction))
}

const ORDER: readonly Direction[] = ['out', 'in', 'both']

function mayReadText(sight: Sight, row: Pick<ReferenceRow, 'field_id' | 'comment_groups'>): boolean {
  if (row.field_id === 0)
    return (
      row.comment_groups === null || sight.administers || row.comment_groups.some((group) => sight.groups.has(group))
    )
  return sight.readable.some(({ id }) => id === row.field_id)
}

async function mayReadThere({ context, db, viewer }: Audience, row: IncomingRow): Promise<boolean> {
  const tracker = await context.trackers.at(db, row.tracker_id, row.stamp)
  return tracker !== undefined && mayReadText(await sightOf(db, tracker, viewer), row)
}

function urlOf({ context }: Audience, keyword: string, value: string, project: number): string {
  return new URL(gotoPath(keyword, value, project), context.config.WAYPOST_PUBLIC_URL).href
}
