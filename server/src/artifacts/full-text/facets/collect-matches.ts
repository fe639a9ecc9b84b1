import { sql } from 'kysely'
import { ApiError } from '../../../platform/messages/errors.ts'
import { memberships } from '../../../projects/groups/memberships.ts'
import type { QuickQuery } from '../../../projects/search/quick-kind.ts'
import { storedPeople } from '../../../trackers/binds/users-bind.ts'
import type { ArtifactId } from '../../artifact.ts'
import { candidateBatches } from '../candidate-batches.ts'
import { findNamedIds, isReference } from '../find-named-ids.ts'
import { exactMatches } from '../full-text-search.ts'
import { type CandidateQuery, listTitled, listWorded, planCandidates } from '../quick-candidates.ts'
import type { FacetedMatch } from './count-facets.ts'

export const MAX_MATCHES = 1000
/** Hidden texts and rare filters can make many candidates fail. */
const MAX_COLLECTING_MS = 5000

export interface Matches {
  readonly matches: readonly FacetedMatch[]
  /** False if there are more matches: these are the newest. */
  readonly isComplete: boolean
}

type Search = QuickQuery & Pick<CandidateQuery, 'tracker'>

/** The artifacts that match by what the viewer may read and that pass the filter; the newest, if they are too many. */
export async function collectMatches(query: Search, passes: (match: FacetedMatch) => boolean): Promise<Matches> {
  const deadline = performance.now() + MAX_COLLECTING_MS
  const found = new Map<ArtifactId, FacetedMatch>()
  const add = async (ids: readonly ArtifactId[], isNamed: boolean) => {
    const added = ids.filter((id) => !found.has(id))
    for (const match of await readMatches(query, added, isNamed)) if (passes(match)) found.set(match.id, match)
  }
  await add(await findNamedIds(query), true)
  let isComplete = true
  for await (const ids of listCandidates(query)) {
    await add(ids, false)
    isComplete = found.size < MAX_MATCHES
    if (!isComplete) break
    if (performance.now() > deadline) throw new ApiError('query_too_expensive')
  }
  return { matches: [...found.values()].slice(0, MAX_MATCHES), isComplete }
}

async function* listCandidates(query: Search): AsyncGenerator<ArtifactId[]> {
  if (query.terms.length === 0 || isReference(query)) return
  const plan = await planCandidates(query)
  const { first } = plan
  yield* candidateBatches((before, size) =>
    first !== undefined ? listWorded(query, { ...plan, first }, before, size) : listTitled(query, plan, before, size),
  )
}

interface MatchRow extends Omit<FacetedMatch, 'assignees'> {
  readonly assigned: unknown
}

/** Of these visible artifacts, those that are named or whose readable texts contain all words. */
async function readMatches(
  { context, viewer, terms }: Search,
  ids: readonly ArtifactId[],
  isNamed: boolean,
): Promise<FacetedMatch[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<MatchRow>`
    with me as materialized (${memberships(viewer)}), seen as materialized (
      select artifact.id, artifact.tracker_id, ${isNamed}::boolean as is_named
      from artifact where artifact.id = any(${ids}::bigint[])
    )
    select id, project_id, tracker_id, rank, changed_on, is_open, assigned
    from (${exactMatches(viewer, terms, sql`true`)}) matching
    order by id desc`.execute(context.db)
  return rows.map(({ assigned, ...row }) => ({ ...row, assignees: storedPeople(assigned) }))
}
