import { type RawBuilder, sql } from 'kysely'
import { foldedName, nameOfFile } from '../../files/names-of-files.ts'
import { allOf } from '../../platform/database/conditions.ts'
import { type Question, RANK } from '../../projects/search/searched-kind.ts'
import { holds, partsOf, saysAll, SEAM } from '../../projects/search/words-sql.ts'
import { readableFields } from '../../trackers/readable-fields.ts'
import { itsPlace, maySeeArtifact } from '../visibility.ts'
import { rarestOf } from './rarest-of.ts'
import { readReference } from './read-reference.ts'
import { attachments, comment, mayReadAttachment, mayReadComment, textOf, wordsOf } from './texts-sql.ts'

/**
 * The artifacts that the viewer sees, and that say all terms in what he may read of them. What the indexes find in any
 * text is looked at again: first whether he sees the artifact, then what its tracker lets him read.
 */
export async function findSaying(question: Question): Promise<RawBuilder<unknown>> {
  const { tx, viewer, terms, is_open } = question
  const words = partsOf(terms)
  const first = await rarestOf(tx, words)
  const named = readReference(question)
  const isMeant = is_open === undefined ? sql`true` : sql`(${isOpen} = ${is_open})`
  // Each step is done one by one, in this order: there may be far more rows than PostgreSQL expects of it.
  return sql`
    with holding as (
      ${wordedSql(question, words, first)} union ${commentedSql(question, first)}
      union ${attachedSql(question, words, first ?? words[0] ?? '')}
      union select ${named?.id ?? null}::bigint
    ), candidate as materialized (
      select artifact.id, artifact.project_id, artifact.tracker_id, artifact.submitted_by, artifact.restricted_to,
        artifact.deleted_on
      from holding ${eachArtifact(sql`holding.id`)}
    ), seen as materialized (
      select artifact.id, artifact.tracker_id, ${named?.isIt ?? sql`false`} as is_named
      from candidate artifact ${itsPlace} cross join me
      where ${maySeeArtifact(viewer)} and ${within(question)}
    )
    select artifact.id, artifact.project_id, case when ${isNamed} then ${RANK.named}
      when ${saysAll(title, terms)} then ${RANK.title} else ${RANK.text} end as rank,
      artifact.last_modified_date as changed_on
    from (select seen.tracker_id, array_agg(seen.id) as ids from seen group by seen.tracker_id) together
      cross join lateral (${readableFields(viewer, sql`tracker.id = together.tracker_id`)} offset 0) readable
      cross join lateral unnest(together.ids) as one (id) ${eachArtifact(sql`one.id`)}
      cross join lateral (select ${everything} as texts offset 0) said
    where (${isNamed} or ${saysAll(sql`said.texts`, terms)}) and ${isMeant}`
}

const isNamed = sql`coalesce(artifact.id = (select seen.id from seen where seen.is_named), false)`

/** Those with a text that holds the first word; the others are in texts too, in comments, or in names of files. */
function wordedSql(question: Question, words: readonly string[], first: string | undefined): RawBuilder<unknown> {
  const others = words.filter((word) => word !== first)
  const all = others.map(
    (word) =>
      sql<boolean>`(${holds(sql`artifact_words.words`, word)} or ${isBeside(sql`artifact_words.artifact_id`, word)})`,
  )
  return sql`select artifact_words.artifact_id as id from artifact_words
      ${itsArtifact(question, sql`artifact_words.artifact_id`)}
    where ${first === undefined ? sql`true` : holds(sql`artifact_words.words`, first)} and ${allOf(all)}`
}

function commentedSql(question: Question, first: string | undefined): RawBuilder<unknown> {
  return sql`select changeset.artifact_id from changeset ${itsArtifact(question, sql`changeset.artifact_id`)}
    where changeset.comment is not null
      and ${first === undefined ? sql`true` : holds(sql`searchable(changeset.comment)`, first)}`
}

/**
 * Those with a file whose name holds the first word. Where no index knows any, each of them will do: what has neither texts
 * nor comments has them all in names.
 */
function attachedSql(question: Question, words: readonly string[], first: string): RawBuilder<unknown> {
  const others = words.filter((word) => word !== first)
  const all = others.map(
    (word) => sql<boolean>`(exists (select from artifact_words where artifact_words.artifact_id = attached.id
      and ${holds(sql`artifact_words.words`, word)}) or ${isBeside(sql`attached.id`, word)})`,
  )
  return sql`select attached.id from (
      select artifact_file.artifact_id as id from ${attachments}
        ${itsArtifact(question, sql`artifact_file.artifact_id`)}
      where ${holds(foldedName, first)}) attached
    where ${allOf(all)}`
}

/** In a comment, or in the name of a file. */
function isBeside(id: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  return sql`(exists (select from changeset where changeset.artifact_id = ${id} and changeset.comment is not null
      and ${holds(sql`searchable(changeset.comment)`, word)})
    or exists (select from ${attachments} where artifact_file.artifact_id = ${id} and ${holds(foldedName, word)}))`
}

/** Where the question is about one place, that may be the shorter way to begin with. */
function itsArtifact(question: Question, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const { project, tracker } = question
  if (project === undefined && tracker === undefined) return sql``
  return sql`join artifact on artifact.id = ${id} and ${within(question)}`
}

/** One by one, by their ids: the few that were found, and never all to find these among them. */
function eachArtifact(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from artifact where artifact.id = ${id} offset 0) artifact`
}

function within({ project, tracker }: Question): RawBuilder<boolean> {
  return allOf([
    ...(project === undefined ? [] : [sql<boolean>`artifact.project_id = ${project}`]),
    ...(tracker === undefined ? [] : [sql<boolean>`artifact.tracker_id = ${tracker}`]),
  ])
}

/** All that the viewer may read of the row of `artifact`, by the row of `readable`, folded. */
const everything = sql`searchable(concat_ws(${SEAM},
  (select string_agg(${wordsOf(textOf(sql`field`))}, ${SEAM}) from unnest(readable.texts) field),
  (select string_agg(${wordsOf(comment)}, ${SEAM}) from changeset
    where changeset.artifact_id = artifact.id and ${mayReadComment}),
  (select string_agg(${nameOfFile}, ${SEAM}) from ${attachments} where ${mayReadAttachment})))`

const title = sql`(case when readable.title = any(readable.texts)
  then searchable(${wordsOf(textOf(sql`readable.title`))}) end)`

/** As answers show it: without a status that one can have, everything is open. */
const isOpen = sql`(not readable.has_status or coalesce(
  (artifact.field_values -> readable.status ->> 0)::bigint = any(readable.open_values), false))`
