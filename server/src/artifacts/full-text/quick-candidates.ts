import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { allOf } from '../../platform/database/conditions.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import type { QuickQuery } from '../../projects/search/quick-kind.ts'
import { containsWord, matchesAllTerms, searchWords } from '../../projects/search/search-terms-sql.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { maySeeLinkedArtifact } from '../visibility.ts'
import { isBeside } from './full-text-search.ts'
import { findMostSelectiveTerm } from './most-selective-term.ts'

/** The data that candidates are found by. */
export interface CandidateQuery extends Pick<QuickQuery, 'context' | 'viewer' | 'terms' | 'project'> {
  readonly tracker?: TrackerId | undefined
}

/** How candidates are found: a rare word by its index; a frequent one by reading the newest artifacts until enough match. */
export interface CandidatePlan {
  readonly words: readonly string[]
  /** The word to start with; undefined if no word is indexed. Then only titles are compared. */
  readonly first: string | undefined
  readonly isFrequent: { readonly in_texts: boolean; readonly in_comments: boolean }
}

const SAMPLE_IN_PERCENT = 0.1
/** Ids. Without a project, fewer than three letters are searched in the newest titles, because no index supports them. */
const SHORT_WORD_WINDOW = 20_000

export async function planCandidates({ context: { db }, terms }: CandidateQuery): Promise<CandidatePlan> {
  const words = searchWords(terms)
  const first = await findMostSelectiveTerm(db, words)
  if (first === undefined) return { words, first, isFrequent: { in_texts: true, in_comments: true } }
  const sample = sql`tablesample system (${SAMPLE_IN_PERCENT}) repeatable (1)`
  const { rows } = await sql<CandidatePlan['isFrequent']>`
    select exists (select from artifact_words ${sample} where ${containsWord(sql`artifact_words.words`, first)}) as in_texts,
      exists (select from changeset ${sample} where changeset.comment is not null
        and ${containsWord(foldedComment, first)}) as in_comments`.execute(db)
  return { words, first, isFrequent: rows[0] ?? { in_texts: false, in_comments: false } }
}

/**
 * Visible artifacts before this id whose title contains all words, newest first. Titles are those of the narrow copy: the
 * caller checks whether the viewer may read them.
 */
export async function listTitled(
  query: CandidateQuery,
  { words, first, isFrequent }: CandidatePlan,
  before: number,
  size: number,
): Promise<ArtifactId[]> {
  const { context, viewer, terms } = query
  const title = sql`artifact.folded_title`
  const from =
    first === undefined || isFrequent.in_texts
      ? sql`artifact_summary artifact`
      : sql`(select artifact_summary.* from artifact_words
          join artifact_summary on artifact_summary.id = artifact_words.artifact_id
          where ${containsWord(sql`artifact_words.words`, first)} offset 0) artifact`
  const isRecent =
    first === undefined && query.project === undefined
      ? sql`artifact.id > (select max(newest.id) - ${sql.lit(SHORT_WORD_WINDOW)} from artifact_summary newest)`
      : sql`true`
  const { rows } = await sql<{ id: ArtifactId }>`
    with me as materialized (${memberships(viewer)})
    select artifact.id from ${from}
    where ${allOf(words.map((word) => containsWord(title, word)))} and ${matchesAllTerms(title, terms)}
      and artifact.id < ${before} and ${isRecent} and ${isFound(query)}
    order by artifact.id desc limit ${sql.lit(size)}`.execute(context.db)
  return rows.map(({ id }) => id)
}

/**
 * Visible artifacts before this id with the words in any text or comment, newest first. The caller checks whether the
 * viewer may read these.
 */
export async function listWorded(
  query: CandidateQuery,
  plan: CandidatePlan & { readonly first: string },
  before: number,
  size: number,
): Promise<ArtifactId[]> {
  const { rows } = await sql<{ id: ArtifactId }>`
    with me as materialized (${memberships(query.viewer)})
    select candidate.id from (
      (${textSource(query, plan, before, size)}) union (${commentSource(query, plan, before, size)})
    ) candidate order by candidate.id desc limit ${sql.lit(size)}`.execute(query.context.db)
  return rows.map(({ id }) => id)
}

const foldedComment = sql`searchable(changeset.comment)`

type WordedSource = (
  query: CandidateQuery,
  plan: CandidatePlan & { readonly first: string },
  before: number,
  size: number,
) => RawBuilder<unknown>

const textSource: WordedSource = (query, { words, first, isFrequent }, before, size) => {
  const others = words.filter((word) => word !== first).map((word) => hasWord(sql`holding.id`, word))
  const holding = isFrequent.in_texts
    ? sql`artifact_words as holding (id, project_id, words)`
    : sql`(select artifact_words.artifact_id as id from artifact_words
        where ${containsWord(sql`artifact_words.words`, first)} offset 0) holding`
  // The concatenation keeps the planner from the trigram index, which would return every match.
  const isHolding = isFrequent.in_texts ? containsWord(sql`(holding.words || '')`, first) : sql`true`
  return sql`select holding.id from ${holding} ${eachFound(query)}
    where holding.id < ${before} and ${isHolding} and ${allOf(others)} order by holding.id desc limit ${sql.lit(size)}`
}

const commentSource: WordedSource = (query, { words, first, isFrequent }, before, size) => {
  const others = words.filter((word) => word !== first).map((word) => hasWord(sql`holding.id`, word))
  const holding = isFrequent.in_comments
    ? sql`(select changeset.artifact_id as id from changeset where changeset.comment is not null
        and ${containsWord(sql`(${foldedComment} || '')`, first)} and changeset.artifact_id < ${before}) holding`
    : sql`(select distinct changeset.artifact_id as id from changeset where changeset.comment is not null
        and ${containsWord(foldedComment, first)} offset 0) holding`
  return sql`select holding.id from ${holding} ${eachFound(query)}
    where holding.id < ${before} and ${allOf(others)}
    group by holding.id order by holding.id desc limit ${sql.lit(size)}`
}

function hasWord(id: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  return sql`(exists (select from artifact_words where artifact_words.artifact_id = ${id}
    and ${containsWord(sql`artifact_words.words`, word)}) or ${isBeside(id, word)})`
}

/** Looks up each row of `holding` by primary key. */
function eachFound(query: CandidateQuery): RawBuilder<unknown> {
  return sql`cross join lateral (select from artifact where artifact.id = holding.id and ${isFound(query)} offset 0) found`
}

function isFound({ viewer, project, tracker }: CandidateQuery): RawBuilder<boolean> {
  const isWithin = allOf([
    ...(project === undefined ? [] : [sql<boolean>`artifact.project_id = ${project}`]),
    ...(tracker === undefined ? [] : [sql<boolean>`artifact.tracker_id = ${tracker}`]),
  ])
  return sql`(${isWithin} and ${maySeeLinkedArtifact(viewer, aliases('artifact', 'me'))})`
}
