import { sql } from 'kysely'
import { memberships } from '../../projects/groups/memberships.ts'
import { containsAllTerms } from '../../projects/search/crop.ts'
import type { QuickArtifact, QuickQuery } from '../../projects/search/quick-kind.ts'
import type { ArtifactId } from '../artifact.ts'
import { readableTitle } from '../reading/title.ts'
import { candidateBatches } from './candidate-batches.ts'
import { findNamedIds, isReference } from './find-named-ids.ts'
import { exactMatches } from './full-text-search.ts'
import { type CandidatePlan, listTitled, listWorded, planCandidates } from './quick-candidates.ts'
import { findHeadsInOrder, representHit } from './represent-hit.ts'
import { buildSearchSnippets } from './search-snippets.ts'

/**
 * The named artifact, then titles, then texts and comments, each newest first. A hidden title or text is neither found
 * nor affects the order: candidates are read until enough of them match by what the viewer may read.
 */
export async function findQuickArtifacts(query: QuickQuery): Promise<QuickArtifact[]> {
  const { limit, terms } = query
  const hits = new Map<number, QuickArtifact>()
  for (const each of await findHeadsInOrder(query, await findNamedIds(query)))
    hits.set(each.artifact.id, representHit(query, each, 'id', null))
  if (terms.length > 0 && hits.size < limit && !isReference(query)) {
    const plan = await planCandidates(query)
    await addTitled(query, plan, hits)
    if (hits.size < limit) await addWorded(query, plan, hits)
  }
  const order = ['id', 'title', 'text']
  return [...hits.values()].toSorted((one, other) => order.indexOf(one.matched) - order.indexOf(other.matched))
}

async function addTitled(query: QuickQuery, plan: CandidatePlan, hits: Map<number, QuickArtifact>): Promise<void> {
  const { terms, limit } = query
  for await (const ids of candidateBatches((before, size) => listTitled(query, plan, before, size))) {
    const found = await findHeadsInOrder(
      query,
      ids.filter((id) => !hits.has(id)),
    )
    for (const each of found) {
      const title = readableTitle(each)
      if (hits.size < limit && title !== null && containsAllTerms(title, terms))
        hits.set(each.artifact.id, representHit(query, each, 'title', null))
    }
    if (hits.size >= limit) return
  }
}

async function addWorded(
  query: QuickQuery,
  { first, ...plan }: CandidatePlan,
  hits: Map<number, QuickArtifact>,
): Promise<void> {
  if (first === undefined) return
  const { context, viewer, terms, limit } = query
  for await (const ids of candidateBatches((before, size) => listWorded(query, { ...plan, first }, before, size))) {
    const ranks = await rankExactly(
      query,
      ids.filter((id) => !hits.has(id)),
    )
    const matching = ids.filter((id) => ranks.has(id)).slice(0, limit - hits.size)
    const snippets = await buildSearchSnippets({ tx: context.db, viewer, terms }, matching)
    for (const each of await findHeadsInOrder(query, matching)) {
      const { id } = each.artifact
      const matched = ranks.get(id) === TITLE_RANK ? 'title' : 'text'
      hits.set(id, representHit(query, each, matched, snippets.get(id)?.cropped_content ?? null))
    }
    if (hits.size >= limit) return
  }
}

const TITLE_RANK = 1

/** The rank of those whose readable texts contain all words. */
async function rankExactly({ context, viewer, terms }: QuickQuery, ids: readonly ArtifactId[]) {
  const { rows } = await sql<{ id: ArtifactId; rank: number }>`
    with me as materialized (${memberships(viewer)}), seen as materialized (
      select artifact.id, artifact.tracker_id, false as is_named from artifact where artifact.id = any(${ids}::bigint[])
    ) select id, rank from (${exactMatches(viewer, terms, sql`true`)}) matching`.execute(context.db)
  return new Map(rows.map(({ id, rank }) => [id, rank]))
}
