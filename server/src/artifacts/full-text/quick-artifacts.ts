import { sql } from 'kysely'
import { memberships } from '../../projects/groups/memberships.ts'
import { containsAllTerms } from '../../projects/search/crop.ts'
import type { QuickArtifact, QuickQuery } from '../../projects/search/quick-kind.ts'
import { representQuickTracker } from '../../trackers/quick-trackers.ts'
import type { ArtifactId } from '../artifact.ts'
import { artifactsByKey, hasSourceKey } from '../imports/source-key.ts'
import { type FoundArtifact, findArtifactsInOrder } from '../reading/find-artifact.ts'
import { represent } from '../reading/represent-artifact.ts'
import { readableTitle } from '../reading/title.ts'
import { joinArtifact, joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import { exactMatches } from './full-text-search.ts'
import { type CandidatePlan, listTitled, listWorded, planCandidates } from './quick-candidates.ts'
import { readReference } from './read-reference.ts'
import { buildSearchSnippets } from './search-snippets.ts'

const FIRST_BATCH_SIZE = 16
const MAX_BATCH_SIZE = 1024

/**
 * The named artifact, then titles, then texts and comments, each newest first. A hidden title or text is neither found
 * nor affects the order: candidates are read until enough of them match by what the viewer may read.
 */
export async function findQuickArtifacts(query: QuickQuery): Promise<QuickArtifact[]> {
  const { limit, terms } = query
  const hits = new Map<number, QuickArtifact>()
  for (const each of await findNamed(query)) hits.set(each.id, each)
  if (terms.length > 0 && hits.size < limit) {
    const plan = await planCandidates(query)
    await addTitled(query, plan, hits)
    if (hits.size < limit) await addWorded(query, plan, hits)
  }
  const order = ['id', 'title', 'text']
  return [...hits.values()].toSorted((one, other) => order.indexOf(one.matched) - order.indexOf(other.matched))
}

/** Artifacts that the query names by id, reference or source key, in any project. */
async function findNamed(query: QuickQuery): Promise<QuickArtifact[]> {
  const { context, viewer, keywords, limit } = query
  const named = readReference(query)
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<{ id: ArtifactId }>`
    select artifact.id
    from (select ${named?.id ?? null}::bigint as id union select ${artifactsByKey(keywords)}) named
      ${joinArtifact(sql`named.id`)} ${joined}
    where (${named?.isIt ?? sql`false`} or ${hasSourceKey(keywords)}) and ${maySeeArtifact(viewer, joined)}
    order by artifact.id limit ${limit}`.execute(context.db)
  const found = await look(
    query,
    rows.map(({ id }) => id),
  )
  return found.map((each) => show(query, each, 'id', null))
}

async function addTitled(query: QuickQuery, plan: CandidatePlan, hits: Map<number, QuickArtifact>): Promise<void> {
  const { terms, limit } = query
  for await (const ids of batches((before, size) => listTitled(query, plan, before, size))) {
    const found = await look(
      query,
      ids.filter((id) => !hits.has(id)),
    )
    for (const each of found) {
      const title = readableTitle(each)
      if (hits.size < limit && title !== null && containsAllTerms(title, terms))
        hits.set(each.artifact.id, show(query, each, 'title', null))
    }
    if (hits.size >= limit) return
  }
}

/** Texts are compared if at least one word is indexed. */
async function addWorded(
  query: QuickQuery,
  { first, ...plan }: CandidatePlan,
  hits: Map<number, QuickArtifact>,
): Promise<void> {
  if (first === undefined) return
  const { context, viewer, terms, limit } = query
  for await (const ids of batches((before, size) => listWorded(query, { ...plan, first }, before, size))) {
    const ranks = await rankExactly(
      query,
      ids.filter((id) => !hits.has(id)),
    )
    const matching = ids.filter((id) => ranks.has(id)).slice(0, limit - hits.size)
    const snippets = await buildSearchSnippets({ tx: context.db, viewer, terms }, matching)
    for (const each of await look(query, matching)) {
      const { id } = each.artifact
      const matched = ranks.get(id) === TITLE_RANK ? 'title' : 'text'
      hits.set(id, show(query, each, matched, snippets.get(id)?.cropped_content ?? null))
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

/** Visible artifacts only, in the given order. */
function look({ context, viewer }: QuickQuery, ids: readonly ArtifactId[]): Promise<FoundArtifact[]> {
  return findArtifactsInOrder(context, context.db, viewer, ids, { extent: 'head' })
}

function show(
  { context, viewer, language }: QuickQuery,
  found: FoundArtifact,
  matched: QuickArtifact['matched'],
  snippet: string | null,
): QuickArtifact {
  const audience = { context, db: context.db, viewer, language }
  const shown = represent(audience, found, { values: 'none' }, undefined)
  const { id, uri, html_url, xref, title, full_status, is_open, assignees, last_modified_date } = shown
  const tracker = representQuickTracker(found.access.tracker)
  const row = { id, uri, html_url, xref, title, tracker, status: full_status, is_open, assignees, last_modified_date }
  return { ...row, matched, snippet }
}

/** Ids in batches of growing size, until there are no more. `list` returns them in descending order. */
async function* batches(list: (before: number, size: number) => Promise<ArtifactId[]>): AsyncGenerator<ArtifactId[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (let size = FIRST_BATCH_SIZE; ; size = Math.min(size * 4, MAX_BATCH_SIZE)) {
    const ids = await list(before, size)
    if (ids.length > 0) yield ids
    const last = ids.at(-1)
    if (last === undefined || ids.length < size) return
    before = last
  }
}
