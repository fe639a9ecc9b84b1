import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { fileTextMatches } from '../../files/file-text-matches.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import {
  ALWAYS_TRUE,
  type Condition,
  type LinkCondition,
  type NumberFact,
  type NumberRange,
} from '../../trackers/search/condition.ts'
import type { FieldId, GroupNumber } from '../../trackers/tracker.ts'
import { inTrackersCalled, maySeeLinkedArtifact } from '../visibility.ts'
import { type InstantOrSql, pastCondition, type ValueCondition } from './past-condition.ts'
import { chooseSource, fromSource, type SearchSource, type UsableSummaries } from './search-source.ts'
import { existsSql, isWithinBounds, likePattern } from './sql-parts.ts'
import { textConditionSql } from './text-condition.ts'

/** The viewer and the moment of a search. */
export interface ConditionContext {
  readonly viewer: Viewer
  /** Values are compared as of this moment. */
  readonly asOf?: InstantOrSql | undefined
  /** The row of `artifact` has had no version since `asOf`, so its current values are those of that moment. */
  readonly isUnchanged?: true
  /** The table that is called `artifact`; absent: the table of that name. */
  readonly source?: SearchSource
  /** Absent: no summary may be read. */
  readonly summaries?: UsableSummaries | undefined
  /** For a few artifacts with a generic plan: each row is looked up by id, and no index is scanned as a whole. */
  readonly isOfFew?: true
}

/** True if the row of `artifact` matches the condition. A condition on links needs the CTE `me` (`memberships`). */
export function conditionSql(condition: Condition, searching: ConditionContext): RawBuilder<boolean> {
  const inside = (each: Condition) => conditionSql(each, searching)
  if (condition.kind === 'all') return joined(condition.of.map(inside), sql` and `, sql`true`)
  if (condition.kind === 'any')
    return isOfPast(searching) || searching.isOfFew
      ? joined(condition.of.map(inside), sql` or `, sql`false`)
      : anyOf(condition.of, inside)
  if (condition.kind === 'not') return sql`(not ${inside(condition.of)})`
  if (condition.kind === 'tracker') return sql`(artifact.tracker_id = any(${condition.ids}::bigint[]))`
  if (condition.kind === 'fact') return isWithinBounds(factSql(condition.fact), condition)
  if (condition.kind === 'fact_pattern') return sql`(${factSql(condition.fact)}::text ~* ${condition.pattern})`
  if (condition.kind === 'comment') return commented(condition.contains, condition.readers, searching)
  if (condition.kind === 'link') return linked(condition, searching)
  const { asOf } = searching
  return asOf && isOfPast(searching) ? pastCondition(condition, asOf) : presentCondition(condition, searching)
}

/** True if the values have to be read from the history. */
function isOfPast({ asOf, isUnchanged }: ConditionContext): boolean {
  return asOf !== undefined && !isUnchanged
}

function joined(parts: readonly RawBuilder<boolean>[], by: RawBuilder<unknown>, none: RawBuilder<boolean>) {
  return parts.length === 0 ? none : sql<boolean>`(${sql.join(parts, by)})`
}

/** Indexed terms share one `in` subquery, whose size the planner estimates from the index statistics. */
function anyOf(parts: readonly Condition[], inside: (part: Condition) => RawBuilder<boolean>): RawBuilder<boolean> {
  const indexed = parts.filter(isIndexed)
  const others = parts.filter((part) => !isIndexed(part)).map(inside)
  if (indexed.length < 2) return joined(parts.map(inside), sql` or `, sql`false`)
  const ids = sql.join(indexed.map(idsSql), sql` union all `)
  return joined([sql`(artifact.id in (${ids}))`, ...others], sql` or `, sql`false`)
}

/** Conditions that the index of one field decides. */
type Indexed = Extract<Condition, { kind: 'chosen' | 'number' }>

function isIndexed(part: Condition): part is Indexed {
  return part.kind === 'chosen' || part.kind === 'number'
}

function idsSql(part: Indexed): RawBuilder<unknown> {
  return part.kind === 'chosen'
    ? sql`select value_index.artifact_id from value_index
        where value_index.field_id = ${part.field} and value_index.value = any(${part.ids}::bigint[])`
    : sql`select number_index.artifact_id from number_index
        where number_index.field_id = ${part.field} and ${isWithinBounds(sql`number_index.value`, part)}`
}

function presentCondition(condition: ValueCondition, searching: ConditionContext): RawBuilder<boolean> {
  if (condition.kind === 'chosen') return chosen(condition.field, condition.ids, searching)
  if (condition.kind === 'chosen_any')
    return existsSql(
      sql`value_index where value_index.artifact_id = artifact.id and value_index.field_id = ${condition.field}`,
      searching,
    )
  if (condition.kind === 'number') return numbered(condition.field, condition, searching)
  if (condition.kind === 'number_pattern')
    return existsSql(
      sql`number_index where number_index.artifact_id = artifact.id
        and number_index.field_id = ${condition.field} and number_index.value::numeric::text ~* ${condition.pattern}`,
      searching,
    )
  if (condition.kind === 'text') return textConditionSql(condition.field, condition, searching)
  if (condition.kind === 'attached')
    return existsSql(
      sql`value_index where value_index.artifact_id = artifact.id and value_index.field_id = ${condition.field}
        and ${fileTextMatches(sql`value_index.value`, likePattern(condition.contains))}`,
      searching,
    )
  if (condition.kind === 'instant')
    return isWithinBounds(sql.ref(`artifact.${condition.fact}`), {
      ...(condition.from && { from: condition.from }),
      ...(condition.before && { to: condition.before, isBefore: true }),
    })
  return sql`coalesce(${sql.ref(`artifact.${condition.fact}`)} = any(${condition.ids}::bigint[]), false)`
}

/** A single value uses a prefix of the primary key, in artifact order. */
function chosen(field: number, ids: readonly number[], searching: ConditionContext): RawBuilder<boolean> {
  const value = ids.length === 1 ? sql`= ${ids[0]}::bigint` : sql`= any(${ids}::bigint[])`
  return existsSql(
    sql`value_index where value_index.artifact_id = artifact.id
      and value_index.field_id = ${field} and value_index.value ${value}`,
    searching,
  )
}

function numbered(field: number, range: NumberRange, searching: ConditionContext): RawBuilder<boolean> {
  return existsSql(
    sql`number_index where number_index.artifact_id = artifact.id
      and number_index.field_id = ${field} and ${isWithinBounds(sql`number_index.value`, range)}`,
    searching,
  )
}

export function factSql(fact: NumberFact): RawBuilder<unknown> {
  return sql.ref(`artifact.${fact}`)
}

function commented(
  words: string | null,
  readers: readonly GroupNumber[] | null,
  searching: ConditionContext,
): RawBuilder<boolean> {
  const { asOf } = searching
  const readable =
    readers === null
      ? sql`true`
      : sql`(changeset.comment_groups is null or changeset.comment_groups && ${readers}::bigint[])`
  const says =
    words === null
      ? sql`true`
      : sql`(searchable(changeset.comment) like searchable(${likePattern(words)})
        and caseless(changeset.comment) like caseless(${likePattern(words)}))`
  const until = asOf ? sql`changeset.submitted_on <= ${asOf}` : sql`true`
  return existsSql(
    sql`changeset where changeset.artifact_id = artifact.id
      and changeset.comment is not null and ${says} and ${readable} and ${until}`,
    searching,
  )
}

/**
 * The other end is also called `artifact` and shadows the first one; the link is joined between them. Links are
 * current, except forward links of a past moment.
 */
function linked(condition: LinkCondition, searching: ConditionContext): RawBuilder<boolean> {
  const { viewer, asOf } = searching
  // The other end may be in a tracker whose titles are not filled.
  const summaries = searching.summaries && { titles: new Set<FieldId>() }
  const { isUnchanged: _, ...atAnyEnd } = searching
  const { direction, type, ends, tracker, where, every } = condition
  const source = chooseSource(summaries, where ?? ALWAYS_TRUE)
  const atOtherEnd: ConditionContext = { ...atAnyEnd, source, summaries }
  const [here, there] =
    direction === 'forward' ? [sql`link.source_id`, sql`link.target_id`] : [sql`link.target_id`, sql`link.source_id`]
  const links =
    asOf && isOfPast(searching) && direction === 'forward'
      ? sql`(select artifact.id as source_id, held.key::bigint as target_id, held.value as type
          from jsonb_each_text(${pastLinks(asOf)}) as held) link`
      : sql`artifact_link link`
  const isMeant = [sql`${here} = artifact.id`]
  if (type !== undefined) isMeant.push(sql`link.type = ${type}`)
  if (ends) isMeant.push(sql`${there} = any(${ends}::bigint[])`)
  const isNamed = tracker ? inTrackersCalled(tracker.name, tracker.isNot) : sql`true`
  const one = (isLike: RawBuilder<boolean>) => {
    const end = sql`${fromSource(source)} where artifact.id = ${there} and ${maySeeLinkedArtifact(viewer, aliases('artifact', 'me'))} and ${isNamed} and ${isLike}`
    return existsSql(sql`${links} where ${sql.join(isMeant, sql` and `)} and ${existsSql(end, searching)}`, searching)
  }
  // An artifact created later matches nothing at that moment.
  const wasThere = asOf ? sql`artifact.submitted_on <= ${asOf}` : sql`true`
  const isLike = where ? sql<boolean>`(${wasThere} and ${conditionSql(where, atOtherEnd)})` : sql<boolean>`true`
  return every ? sql`(${one(sql`true`)} and not ${one(sql`(not ${isLike})`)})` : one(isLike)
}

/**
 * The value of the link field of `artifact` at that moment. Links are the only object value without `content`: a map
 * from id to type.
 */
function pastLinks(asOf: InstantOrSql): RawBuilder<unknown> {
  return sql`(select held.value from changeset cross join lateral jsonb_each(changeset.changes) as held
    where changeset.artifact_id = artifact.id and changeset.submitted_on <= ${asOf}
      and jsonb_typeof(held.value) = 'object' and not held.value ? 'content'
    order by changeset.version desc limit 1)`
}

/** True if the statement needs the CTE `me`. */
export function asksForLinks(condition: Condition): boolean {
  if (condition.kind === 'link') return true
  if (condition.kind === 'not') return asksForLinks(condition.of)
  return (condition.kind === 'all' || condition.kind === 'any') && condition.of.some(asksForLinks)
}
