import { type RawBuilder, sql } from 'kysely'
import { saysSomewhere } from '../../files/says-somewhere.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Condition, LinkCondition, NumberFact, Range, TextTest } from '../../trackers/search/condition.ts'
import type { GroupNumber } from '../../trackers/tracker.ts'
import { inTrackersCalled, maySeeEnd } from '../visibility.ts'
import { type Moment, pastCondition } from './past-condition.ts'
import { contains, textIn, within } from './sql-parts.ts'

/** Who searches, and of what moment. */
export interface Searching {
  readonly viewer: Viewer
  /** What is asked of values is asked of those that were current then. */
  readonly asOf?: Moment | undefined
  /**
   * It is asked of a few artifacts, by a plan that is made once and knows no values: each is looked up by itself, and no index
   * is read for all that it knows.
   */
  readonly isOfFew?: true
}

/** With an `offset` it is neither joined nor hashed, but asked for each row. */
function exists(rows: RawBuilder<unknown>, { isOfFew }: Pick<Searching, 'isOfFew'>): RawBuilder<boolean> {
  return isOfFew ? sql`exists (select from ${rows} offset 0)` : sql`exists (select from ${rows})`
}

/**
 * Whether a condition is true of the row of `artifact`. The statement has the row of `me` (`memberships`), if there is a
 * condition on links.
 */
export function conditionSql(condition: Condition, searching: Searching): RawBuilder<boolean> {
  const inside = (each: Condition) => conditionSql(each, searching)
  if (condition.kind === 'all') return joined(condition.of.map(inside), sql` and `, sql`true`)
  if (condition.kind === 'any')
    return searching.asOf || searching.isOfFew
      ? joined(condition.of.map(inside), sql` or `, sql`false`)
      : anyOf(condition.of, inside)
  if (condition.kind === 'not') return sql`(not ${inside(condition.of)})`
  if (condition.kind === 'tracker') return sql`(artifact.tracker_id = any(${condition.ids}::bigint[]))`
  if (condition.kind === 'fact') return within(factSql(condition.fact), condition)
  if (condition.kind === 'fact_pattern') return sql`(${factSql(condition.fact)}::text ~* ${condition.pattern})`
  if (condition.kind === 'comment') return commented(condition.contains, condition.readers, searching)
  if (condition.kind === 'link') return linked(condition, searching)
  return searching.asOf ? pastCondition(condition, searching.asOf) : presentCondition(condition, searching)
}

function joined(parts: readonly RawBuilder<boolean>[], by: RawBuilder<unknown>, none: RawBuilder<boolean>) {
  return parts.length === 0 ? none : sql<boolean>`(${sql.join(parts, by)})`
}

/** What indexes can answer is answered together: they know how many there are, and an artifact looks like most of them. */
function anyOf(parts: readonly Condition[], inside: (part: Condition) => RawBuilder<boolean>): RawBuilder<boolean> {
  const indexed = parts.filter(isIndexed)
  const others = parts.filter((part) => !isIndexed(part)).map(inside)
  if (indexed.length < 2) return joined(parts.map(inside), sql` or `, sql`false`)
  const ids = sql.join(indexed.map(idsSql), sql` union all `)
  return joined([sql`(artifact.id in (${ids}))`, ...others], sql` or `, sql`false`)
}

/** What the index of one field alone can tell. */
type Indexed = Extract<Condition, { kind: 'chosen' | 'number' }>

function isIndexed(part: Condition): part is Indexed {
  return part.kind === 'chosen' || part.kind === 'number'
}

function idsSql(part: Indexed): RawBuilder<unknown> {
  return part.kind === 'chosen'
    ? sql`select value_index.artifact_id from value_index
        where value_index.field_id = ${part.field} and value_index.value = any(${part.ids}::bigint[])`
    : sql`select number_index.artifact_id from number_index
        where number_index.field_id = ${part.field} and ${within(sql`number_index.value`, part)}`
}

/** Conditions on what an artifact has now: most of them are answered by an index beside it. */
export type ValueCondition = Extract<
  Condition,
  { kind: 'chosen' | 'chosen_any' | 'number' | 'number_pattern' | 'text' | 'attached' | 'instant' | 'person' }
>

function presentCondition(condition: ValueCondition, searching: Searching): RawBuilder<boolean> {
  if (condition.kind === 'chosen') return chosen(condition.field, condition.ids, searching)
  if (condition.kind === 'chosen_any')
    return exists(
      sql`value_index where value_index.artifact_id = artifact.id and value_index.field_id = ${condition.field}`,
      searching,
    )
  if (condition.kind === 'number') return numbered(condition.field, condition, searching)
  if (condition.kind === 'number_pattern')
    return exists(
      sql`number_index where number_index.artifact_id = artifact.id
        and number_index.field_id = ${condition.field} and number_index.value::numeric::text ~* ${condition.pattern}`,
      searching,
    )
  if (condition.kind === 'text')
    return written(textIn(sql`artifact.field_values`, condition.field), condition, searching)
  if (condition.kind === 'attached')
    return exists(
      sql`value_index where value_index.artifact_id = artifact.id and value_index.field_id = ${condition.field}
        and ${saysSomewhere(sql`value_index.value`, contains(condition.contains))}`,
      searching,
    )
  if (condition.kind === 'instant')
    return within(sql.ref(`artifact.${condition.fact}`), {
      ...(condition.from && { from: condition.from }),
      ...(condition.before && { to: condition.before, isBefore: true }),
    })
  return sql`coalesce(${sql.ref(`artifact.${condition.fact}`)} = any(${condition.ids}::bigint[]), false)`
}

/** With one value a part of the primary key is read, in the order of the artifacts. */
function chosen(field: number, ids: readonly number[], searching: Searching): RawBuilder<boolean> {
  const value = ids.length === 1 ? sql`= ${ids[0]}::bigint` : sql`= any(${ids}::bigint[])`
  return exists(
    sql`value_index where value_index.artifact_id = artifact.id
      and value_index.field_id = ${field} and value_index.value ${value}`,
    searching,
  )
}

function numbered(field: number, range: Range, searching: Searching): RawBuilder<boolean> {
  return exists(
    sql`number_index where number_index.artifact_id = artifact.id
      and number_index.field_id = ${field} and ${within(sql`number_index.value`, range)}`,
    searching,
  )
}

/** What the index of words finds holds the text somewhere; where it stands is looked at in the value itself. */
function written(text: RawBuilder<unknown>, test: TextTest, searching: Searching): RawBuilder<boolean> {
  if ('isThere' in test) return sql`(coalesce(${text}, '') <> '')`
  if ('pattern' in test) return sql`coalesce(${text} ~* ${test.pattern}, false)`
  const words = sql`artifact_words where artifact_words.artifact_id = artifact.id
    and artifact_words.words like searchable(${contains(test.contains)})`
  return sql`(${exists(words, searching)} and coalesce(caseless(${text}) like caseless(${contains(test.contains)}), false))`
}

export function factSql(fact: NumberFact): RawBuilder<unknown> {
  return sql.ref(`artifact.${fact}`)
}

function commented(
  words: string | null,
  readers: readonly GroupNumber[] | null,
  searching: Searching,
): RawBuilder<boolean> {
  const { asOf } = searching
  const readable =
    readers === null
      ? sql`true`
      : sql`(changeset.comment_groups is null or changeset.comment_groups && ${readers}::bigint[])`
  const says =
    words === null
      ? sql`true`
      : sql`(searchable(changeset.comment) like searchable(${contains(words)})
        and caseless(changeset.comment) like caseless(${contains(words)}))`
  const until = asOf ? sql`changeset.submitted_on <= ${asOf}` : sql`true`
  return exists(
    sql`changeset where changeset.artifact_id = artifact.id
      and changeset.comment is not null and ${says} and ${readable} and ${until}`,
    searching,
  )
}

/**
 * The other end is again called `artifact`, and hides the first one: what links the two stands between them. A link is
 * one of today; from here, of the past where that is asked for.
 */
function linked(condition: LinkCondition, searching: Searching): RawBuilder<boolean> {
  const { viewer, asOf } = searching
  const { direction, type, ends, tracker, where, every } = condition
  const [here, there] =
    direction === 'forward' ? [sql`link.source_id`, sql`link.target_id`] : [sql`link.target_id`, sql`link.source_id`]
  const links =
    asOf && direction === 'forward'
      ? sql`(select artifact.id as source_id, held.key::bigint as target_id, held.value as type
          from jsonb_each_text(${pastLinks(asOf)}) as held) link`
      : sql`artifact_link link`
  const isMeant = [sql`${here} = artifact.id`]
  if (type !== undefined) isMeant.push(sql`link.type = ${type}`)
  if (ends) isMeant.push(sql`${there} = any(${ends}::bigint[])`)
  const isNamed = tracker ? inTrackersCalled(tracker.name, tracker.isNot) : sql`true`
  const one = (isLike: RawBuilder<boolean>) => {
    const end = sql`artifact where artifact.id = ${there} and ${maySeeEnd(viewer)} and ${isNamed} and ${isLike}`
    return exists(sql`${links} where ${sql.join(isMeant, sql` and `)} and ${exists(end, searching)}`, searching)
  }
  // Of what came later nothing was true then.
  const wasThere = asOf ? sql`artifact.submitted_on <= ${asOf}` : sql`true`
  const isLike = where ? sql<boolean>`(${wasThere} and ${conditionSql(where, searching)})` : sql<boolean>`true`
  return every ? sql`(${one(sql`true`)} and not ${one(sql`(not ${isLike})`)})` : one(isLike)
}

/** What the link field of the row of `artifact` held then. It is the only kind of value that is an object of types by id. */
function pastLinks(asOf: Moment): RawBuilder<unknown> {
  return sql`(select held.value from changeset cross join lateral jsonb_each(changeset.changes) as held
    where changeset.artifact_id = artifact.id and changeset.submitted_on <= ${asOf}
      and jsonb_typeof(held.value) = 'object' and not held.value ? 'content'
    order by changeset.version desc limit 1)`
}

/** Whether the statement needs the row of `me`. */
export function asksForLinks(condition: Condition): boolean {
  if (condition.kind === 'link') return true
  if (condition.kind === 'not') return asksForLinks(condition.of)
  return (condition.kind === 'all' || condition.kind === 'any') && condition.of.some(asksForLinks)
}
