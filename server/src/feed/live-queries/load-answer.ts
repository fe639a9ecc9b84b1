import { fieldsOf } from '../../artifacts/reading/artifact-table.ts'
import { findEveryId } from '../../artifacts/search/find-every-id.ts'
import { findIds, type Search } from '../../artifacts/search/find-ids.ts'
import { createMatching, type Matching, statesOf } from '../../artifacts/search/match-artifacts.ts'
import { type ReadSearch, readSearch } from '../../artifacts/search/read-search.ts'
import { inSnapshot } from '../../platform/database/db.ts'
import { readFeedState } from '../../platform/database/events.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Answer, Asked } from './answer.ts'
import { type Dependence, dependenceOf } from './dependence.ts'
import { IdSet } from './id-set.ts'
import { reachOf } from './result.ts'

/** A live query that is understood, and not answered yet. */
export interface Question {
  readonly sight: Sight
  readonly search: ReadSearch
  readonly limit: number
  readonly matching: Matching
  readonly dependence: Dependence
  readonly key: string
}

/** Finds out what is asked, by what the viewer may see now; refuses as the list does. */
export async function readQuestion(context: Context, viewer: Viewer, asked: Asked): Promise<Question> {
  const { tracker, limit, cut } = asked
  const sight = await findTracker(context, context.db, viewer, tracker)
  cut?.requireReadable(fieldsOf(sight))
  const search = await readSearch({ context, db: context.db, viewer }, sight, asked.search)
  if (search.asOf || search.said?.query.isExplained)
    throw new ApiError('parameter_conflict', { path: 'expert_query', cause: 'live_query' })
  const matching = createMatching(context.db, sight, search)
  const dependence = dependenceOf(search)
  // What is asked again from time to time is asked as the same person would: in his zone, say.
  const own = dependence.onMore ? JSON.stringify([viewer.account_id ?? null, asked.search]) : ''
  return { sight, search, limit, matching, dependence, key: `${limit} ${own} ${matching.key}` }
}

/** Answers it from nothing, at one moment; undefined: the rights were changed meanwhile. */
export async function loadAnswer({ db }: Context, question: Question): Promise<Answer | undefined> {
  const { sight, search, limit } = question
  const reach = reachOf(limit)
  return inSnapshot(db, async (tx) => {
    const { epoch, horizon } = await readFeedState(tx)
    // One row more comes, which is kept as well.
    const { rows, isCurrent } = await findIds(tx, [sight], search, { limit: reach - 1, offset: 0, after: undefined })
    if (!isCurrent) return undefined
    const states = await statesOf(
      tx,
      rows.map(({ id }) => id),
    )
    const isComplete = rows.length < reach
    const ids = new IdSet(isComplete ? [] : await findEveryId(tx, sight, search))
    for (const { id } of rows) ids.add(id)
    const versionOf = (id: (typeof rows)[number]['id']) => states.get(id)?.version ?? 0
    return {
      ...question,
      search: withoutText(search),
      followers: new Set(),
      result: { ids, rows: rows.map(({ id, place }) => ({ id, place, version: versionOf(id) })), isComplete },
      place: { epoch, ...horizon },
      reviewed: Date.now(),
    }
  })
}

/** What is kept for as long as somebody follows. */
function withoutText({ condition, order }: ReadSearch): Search {
  return { condition, order }
}
