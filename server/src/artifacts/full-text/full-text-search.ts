import { type RawBuilder, sql } from 'kysely'
import { foldedFileName, nameOfFile } from '../../files/names-of-files.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { SearchTerm } from '../../projects/search/keywords.ts'
import { type SearchQuery, RANK } from '../../projects/search/searched-kind.ts'
import { containsWord, searchWords, matchesAllTerms, SEAM_SQL } from '../../projects/search/search-terms-sql.ts'
import { artifactsByKey, hasSourceKey } from '../imports/source-key.ts'
import { readableFields } from '../../trackers/readable-fields.ts'
import { maySeeArtifact, joinTrackerProjectAndMe } from '../visibility.ts'
import { findMostSelectiveTerm } from './most-selective-term.ts'
import { readReference } from './read-reference.ts'
import { attachments, comment, mayReadAttachment, isReadableComment, textOf, plainTextSql } from './texts-sql.ts'

/**
 * Artifacts that the viewer sees and whose readable texts contain all terms. The indexes cover all texts, so each hit
 * is checked again: first the visibility of the artifact, then the fields readable in its tracker.
 */
export async function fullTextSearch(question: SearchQuery): Promise<RawBuilder<unknown>> {
  const { tx, viewer, terms, keywords, is_open } = question
  const words = searchWords(terms)
  const first = await findMostSelectiveTerm(tx, words)
  const named = readReference(question)
  const isMeant = is_open === undefined ? sql<boolean>`true` : sql<boolean>`(${isOpen} = ${is_open})`
  // `materialized` and `offset 0` fix the order of evaluation, because PostgreSQL underestimates the row counts.
  return sql`
    with holding as (
      ${wordedSql(question, words, first)} union ${commentedSql(question, first)}
      union ${attachedSql(question, words, first ?? words[0] ?? '')}
      union select ${named?.id ?? null}::bigint union select ${artifactsByKey(keywords)}
    ), candidate as materialized (
      select artifact.id, artifact.project_id, artifact.tracker_id, artifact.submitted_by, artifact.restricted_to,
        artifact.deleted_on
      from holding ${eachArtifact(sql`holding.id`)}
    ), seen as materialized (
      select artifact.id, artifact.tracker_id, (${named?.isIt ?? sql`false`} or ${hasSourceKey(keywords)}) as is_named
      from candidate artifact ${joinTrackerProjectAndMe}
      where ${maySeeArtifact(viewer, joinTrackerProjectAndMe)} and ${within(question)}
    )
    ${exactMatches(viewer, terms, isMeant)}`
}

/**
 * Of the CTE `seen` (visible artifacts, with `is_named`), those whose readable texts contain all terms: (id, project_id,
 * rank, changed_on), and what facets count (tracker_id, is_open, assigned). The statement has the row of `me`.
 */
export function exactMatches(
  viewer: Viewer,
  terms: readonly SearchTerm[],
  isMeant: RawBuilder<boolean>,
): RawBuilder<unknown> {
  return sql`
    select artifact.id, artifact.project_id, case when ${isNamed} then ${RANK.named}
      when ${matchesAllTerms(title, terms)} then ${RANK.title} else ${RANK.text} end as rank,
      artifact.last_modified_date as changed_on, artifact.tracker_id, ${isOpen} as is_open,
      artifact.field_values -> readable.contributor as assigned
    from (select seen.tracker_id, array_agg(seen.id) as ids from seen group by seen.tracker_id) together
      cross join lateral (${readableFields(viewer, sql`tracker.id = together.tracker_id`)} offset 0) readable
      cross join lateral unnest(together.ids) as one (id) ${eachArtifact(sql`one.id`)}
      cross join lateral (select ${everything} as texts offset 0) said
    where (${isNamed} or ${matchesAllTerms(sql`said.texts`, terms)}) and ${isMeant}`
}

const isNamed = sql`(artifact.id in (select seen.id from seen where seen.is_named))`

/** Artifacts with a text that contains the first word; the other words may be in texts, comments or file names. */
function wordedSql(question: SearchQuery, words: readonly string[], first: string | undefined): RawBuilder<unknown> {
  const others = words.filter((word) => word !== first)
  const all = others.map(
    (word) =>
      sql<boolean>`(${containsWord(sql`artifact_words.words`, word)} or ${isBeside(sql`artifact_words.artifact_id`, word)})`,
  )
  return sql`select artifact_words.artifact_id as id from artifact_words
      ${joinNarrowedArtifact(question, sql`artifact_words.artifact_id`)}
    where ${first === undefined ? sql`true` : containsWord(sql`artifact_words.words`, first)} and ${allOf(all)}`
}

function commentedSql(question: SearchQuery, first: string | undefined): RawBuilder<unknown> {
  return sql`select changeset.artifact_id from changeset ${joinNarrowedArtifact(question, sql`changeset.artifact_id`)}
    where changeset.comment is not null
      and ${first === undefined ? sql`true` : containsWord(sql`searchable(changeset.comment)`, first)}`
}

/**
 * Artifacts with a file whose name contains the first word. Without an indexed word any word works: an artifact without
 * texts and comments has all of them in file names.
 */
function attachedSql(question: SearchQuery, words: readonly string[], first: string): RawBuilder<unknown> {
  const others = words.filter((word) => word !== first)
  const all = others.map(
    (word) => sql<boolean>`(exists (select from artifact_words where artifact_words.artifact_id = attached.id
      and ${containsWord(sql`artifact_words.words`, word)}) or ${isBeside(sql`attached.id`, word)})`,
  )
  return sql`select attached.id from (
      select artifact_file.artifact_id as id from ${attachments}
        ${joinNarrowedArtifact(question, sql`artifact_file.artifact_id`)}
      where ${containsWord(foldedFileName, first)}) attached
    where ${allOf(all)}`
}

/** The word is in a comment or in a file name. */
export function isBeside(id: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  return sql`(exists (select from changeset where changeset.artifact_id = ${id} and changeset.comment is not null
      and ${containsWord(sql`searchable(changeset.comment)`, word)})
    or exists (select from ${attachments} where artifact_file.artifact_id = ${id} and ${containsWord(foldedFileName, word)}))`
}

/** In a search limited to a project or tracker, starting from its artifacts may be cheaper. */
function joinNarrowedArtifact(question: SearchQuery, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const { project, tracker } = question
  if (project === undefined && tracker === undefined) return sql``
  return sql`join artifact on artifact.id = ${id} and ${within(question)}`
}

/** Looks up the few hits by primary key; prevents a scan of all artifacts. */
function eachArtifact(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from artifact where artifact.id = ${id} offset 0) artifact`
}

function within({ project, tracker }: SearchQuery): RawBuilder<boolean> {
  return allOf([
    ...(project === undefined ? [] : [sql<boolean>`artifact.project_id = ${project}`]),
    ...(tracker === undefined ? [] : [sql<boolean>`artifact.tracker_id = ${tracker}`]),
  ])
}

/** All texts of the row of `artifact` that the viewer may read, by the row of `readable`; case-folded. */
const everything = sql`searchable(concat_ws(${SEAM_SQL},
  (select string_agg(${plainTextSql(textOf(sql`field`))}, ${SEAM_SQL}) from unnest(readable.texts) field),
  (select string_agg(${plainTextSql(comment)}, ${SEAM_SQL}) from changeset
    where changeset.artifact_id = artifact.id and ${isReadableComment}),
  (select string_agg(${nameOfFile}, ${SEAM_SQL}) from ${attachments} where ${mayReadAttachment})))`

const title = sql`(case when readable.title = any(readable.texts)
  then searchable(${plainTextSql(textOf(sql`readable.title`))}) end)`

/** As in representations: without a usable status, every artifact is open. */
const isOpen = sql`(not readable.has_status or coalesce(
  (artifact.field_values -> readable.status ->> 0)::bigint = any(readable.open_values), false))`
