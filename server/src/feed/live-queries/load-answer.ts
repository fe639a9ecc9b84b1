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
import type { Place } from '../place.ts'
import type { Answer, Asked } from './answer.ts'
import { type Dependence, dependenceOf } from './dependence.ts'
import { IdSet } from './id-set.ts'
import { reachOf, type Result } from './result.ts'

/** A live query that is understood, and not answered yet. */
export interface Question {
  readonly sight: Sight
  readonly search: ReadSearch
  readonly limit: number
  readonly matching: Matching
  readonly dependence: Dependence
  /** What is asked: as long as that is the same, so is the answer, unless it rests on more than the artifacts. */
  readonly content: string
  /** The same in one state of the tracker and of the rights. */
  readonly key: string
}

export function restsOnArtifacts({ dependence: { links, onMore, onGroups } }: Pick<Question, 'dependence'>): boolean {
  return links.length === 0 && !onMore && !onGroups
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
  const dependence = dependenceOf(sight, search)
  // What is asked again from time to time is asked as the same person would: in his zone, say.
  const own = dependence.onMore ? JSON.stringify([viewer.account_id ?? null, asked.search]) : ''
  // Whoever changes a tracker may change what artifacts have, without a word to each of them.
  const content = `${sight.tracker.version} ${limit} ${own} ${matching.key}`
  return { sight, search, limit, matching, dependence, content, key: `${sight.tracker.stamp} ${content}` }
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
    const found = rows.map(({ id, place }) => ({ id, place, version: states.get(id)?.version ?? 0 }))
    return createAnswer(question, { ids, rows: found, isComplete }, { epoch, ...horizon })
  })
}

/** Everything up to the place is in the result. */
export function createAnswer(question: Question, result: Result, place: Place): Answer {
  const { condition, order } = question.search
  const search: Search = { condition, order } // The text is not needed any more.
  return { ...question, search, result, place, followers: new Set(), reviewed: Date.now() }
}
