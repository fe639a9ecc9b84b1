import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { plannedAnew } from '../../platform/database/prepare-statements.ts'
import type { Page, Place } from '../../platform/http/pages.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { artifactCount } from '../../trackers/counter.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import { type Condition, EVERYTHING, NOTHING } from '../../trackers/search/condition.ts'
import { joinAll } from '../../trackers/search/join-conditions.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { oneTracker, theseTrackers } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import { inOneOf, sizeInSight } from '../visibility.ts'
import { budgetOf } from './budget.ts'
import { type Combined, combineTerms } from './combine-terms.ts'
import { countByIndexes } from './count-sql.ts'
import { asksForLinks, conditionSql } from './condition-sql.ts'
import { behindSql, keysSql, type Order, orderSql, placeSql } from './order-sql.ts'
import { runSearch } from './run-search.ts'
import { walkNumbers } from './walk-numbers.ts'

export interface Search {
  readonly condition: Condition
  readonly order: Order
  /** The moment whose values are meant; absent: now. */
  readonly asOf?: Date | undefined
}

export interface FoundIds {
  readonly rows: readonly { readonly id: ArtifactId; readonly place: Place }[]
  readonly size: number
  /** Whether the trackers were still what is known of them when this was found out. */
  readonly isCurrent: boolean
}

/**
 * One page more by one row of what fits in these trackers, which are in the order of their ids, and how many there are in
 * all: exact, and of one moment.
 */
export async function findIds(db: Db | Tx, sights: readonly Sight[], search: Search, page: Page): Promise<FoundIds> {
  const budget = budgetOf(search.condition, search.asOf)
  const { rows } = await runSearch(db, searchStatement(sights, search, page), budget)
  const [row] = rows
  const known = sights.map(({ tracker }) => tracker.stamp)
  return { rows: row?.found ?? [], size: row?.size ?? 0, isCurrent: row?.stamps.join(' ') === known.join(' ') }
}

/** How many fit. */
export async function countFound(db: Db | Tx, sights: readonly Sight[], search: Search): Promise<number> {
  return (await findIds(db, sights, search, { limit: 0, offset: 0, after: undefined })).size
}

/** All of them, in order, some at a time: the database keeps the place, in the one moment of the transaction. */
export async function* walkIds(
  tx: Tx,
  sights: readonly Sight[],
  { condition, order, asOf }: Search,
  atOnce: number,
): AsyncGenerator<readonly ArtifactId[]> {
  const [me] = meSql(sights, condition)
  const rows = rowsSql(partsOf(sights, condition), asOf, order)
  await sql`declare walk no scroll cursor for ${me ? sql`with ${me}` : sql``}
    select fitting.id from (${rows}) fitting order by ${orderSql(order, 'fitting')}`.execute(tx)
  for (;;) {
    const { rows: some } = await sql<{ id: ArtifactId }>`fetch ${sql.lit(atOnce)} from walk`.execute(tx)
    if (some.length > 0) yield some.map(({ id }) => id)
    if (some.length < atOnce) break
  }
  await sql`close walk`.execute(tx)
}

interface Row {
  stamps: readonly string[]
  size: number
  found: FoundIds['rows']
}

/** Trackers of which the same is asked. */
interface Part {
  readonly sights: readonly Sight[]
  readonly condition: Condition
}

/** Each is found by indexes of its own: where a name means another field in each tracker, no index serves all of them. */
export function partsOf(sights: readonly Sight[], condition: Condition): readonly Part[] {
  const asked = (condition.kind === 'any' ? condition.of : [condition]).map(partIn)
  const parts = asked.filter((part) => part !== undefined)
  if (parts.length === 0 || parts.length < asked.length) return [{ sights, condition }]
  return parts.map(({ ids, condition: each }) => ({
    sights: sights.filter(({ tracker }) => ids.includes(tracker.id)),
    condition: each,
  }))
}

function partIn(condition: Condition): { ids: readonly TrackerId[]; condition: Condition } | undefined {
  if (condition.kind === 'tracker') return { ids: condition.ids, condition: EVERYTHING }
  const [first, ...others] = condition.kind === 'all' ? condition.of : []
  return first?.kind === 'tracker' ? { ids: first.ids, condition: joinAll(others) } : undefined
}

/** Whether the row of `artifact` is one that the viewer sees and that fits. */
function fitsSql({ sights, condition }: Part, asOf: Date | undefined): RawBuilder<boolean> {
  const [sight] = sights
  if (!sight) return sql`false`
  return sql`${inOneOf(sights)} and ${conditionSql(condition, { viewer: sight.viewer, asOf })}
    and ${asOf ? sql`artifact.submitted_on <= ${asOf}` : sql`true`}`
}

/** The row of `me`, where a condition asks for it. */
export function meSql([sight]: readonly Sight[], condition: Condition): RawBuilder<unknown>[] {
  return sight && asksForLinks(condition) ? [sql`me as materialized (${memberships(sight.viewer)})`] : []
}

export function rowsSql(parts: readonly Part[], asOf: Date | undefined, order?: Order): RawBuilder<unknown> {
  const columnsOf = ({ sights }: Part) =>
    order ? keysSql(order, new Set(sights.map(({ tracker }) => tracker.id))) : sql`artifact.id`
  const each = parts.map((part) => sql`select ${columnsOf(part)} from artifact where ${fitsSql(part, asOf)}`)
  return sql.join(each, sql` union all `)
}

/** All of them, for whoever does something else with them than to list them. */
export function fittingSql(sights: readonly Sight[], { condition, asOf }: Search): RawBuilder<unknown> {
  const [me] = meSql(sights, condition)
  return sql`${me ? sql`with ${me}` : sql``} ${rowsSql(partsOf(sights, condition), asOf)}`
}

/** Exact, and known without looking at each; undefined: each has to be looked at. */
function sizeSql({ sights: [sight, ...others], condition }: Part): RawBuilder<number> | undefined {
  if (!sight || condition === NOTHING) return sql`0`
  if (condition.kind === 'all' && condition.of.length === 0) {
    const sizes = [sight, ...others].map(
      (each) => sql`(select ${sizeInSight(each)} from ${oneTracker(each.tracker.id)})`,
    )
    return sql`(${sql.join(sizes, sql` + `)})`
  }
  return others.length > 0 ? undefined : countByIndexes(sight, condition)
}

/** So many are sorted faster than they are come across in the order of a whole tracker. */
const FEW = 20_000

/** Of a quarter of a tracker one in four rows fits: at the worst, to come across them takes as long as four times to sort them. */
function fewIn(parts: readonly Part[]): RawBuilder<number> {
  const trackers = parts.flatMap(({ sights }) => sights.map(({ tracker }) => tracker.id))
  return sql`least(${FEW}, (select sum(${artifactCount}) / 4 from ${theseTrackers(trackers)}))`
}

/**
 * What fits is found out once, and then counted and sorted; but where indexes know that it is much, only the page is
 * looked for, in the order of an index.
 */
function searchStatement(sights: readonly Sight[], search: Search, page: Page): RawBuilder<Row> {
  const { condition, order, asOf } = search
  const parts = partsOf(sights, condition)
  const rows = rowsSql(parts, asOf, order)
  const sizing = asOf ? undefined : sizingOf(parts, order)
  const pageOf = (source: RawBuilder<unknown>) => sql`(select coalesce(json_agg(found), '[]') from (
    select fitting.id, ${placeSql(order, 'fitting')} as place from ${source}
    where ${page.after ? behindSql(order, page.after, 'fitting') : sql`true`} order by ${orderSql(order, 'fitting')}
    limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}) found)`
  const found = sizing
    ? sql`case when (select sized.size from sized) > ${fewIn(parts)}
        then ${pageOf(sql`(${asOf ? rows : (walked(parts, order, page) ?? rows)}) fitting`)}
        else ${pageOf(sql`fitting`)} end`
    : pageOf(sql`fitting`)
  const before = [
    ...meSql(sights, condition),
    ...(sizing?.before ?? []),
    sql`fitting as materialized (${sizing?.rows ?? rows})`,
    sql`sized as materialized (select ${sizing?.size ?? sql`(select count(*) from fitting)`}::bigint as size)`,
  ]
  return sql<Row>`${plannedAnew} with ${sql.join(before)}
    select array(select ${stamp} from ${theseTrackers(sights.map(({ tracker }) => tracker.id))} order by tracker.id) as stamps,
      (select sized.size from sized) as size, ${found} as found`
}

/** The rows of the page alone, and some that lie about it, come across in the order of an index; undefined: none has it. */
function walked(parts: readonly Part[], order: Order, page: Page): RawBuilder<unknown> | undefined {
  const [part, ...others] = parts
  if (!part || others.length > 0 || part.sights.length !== 1) return undefined
  return walkNumbers({ condition: part.condition, fits: fitsSql(part, undefined) }, order, page)
}

/** How many fit, known without looking at each of them. */
interface Sizing {
  readonly size: RawBuilder<number>
  /** What is found out before, for both. */
  readonly before?: readonly RawBuilder<unknown>[]
  /** The rows of `fitting`, where they are few; absent: as always. */
  readonly rows?: RawBuilder<unknown> | undefined
}

function sizingOf(parts: readonly Part[], order: Order): Sizing | undefined {
  const sizes = parts.map(sizeSql)
  const known = sizes.filter((size) => size !== undefined)
  if (known.length === sizes.length) return { size: sql`(${sql.join(known, sql` + `)})` }
  const [part, ...others] = parts
  const [sight, ...more] = part?.sights ?? []
  const combined = part && sight && others.length + more.length === 0 ? combineTerms(sight, part.condition) : undefined
  return sight && combined && sizingByTerms(sight, combined, order)
}

function sizingByTerms(sight: Sight, { ids, isComplement }: Combined, order: Order): Sizing {
  const counted = sql<number>`(select count(*) from combined)`
  const all = sql<number>`(select ${sizeInSight(sight)} from ${oneTracker(sight.tracker.id)})`
  return {
    before: [sql`combined as materialized (${ids})`],
    size: isComplement ? sql`(${all} - ${counted})` : counted,
    rows: isComplement
      ? undefined
      : sql`select ${keysSql(order, new Set([sight.tracker.id]))} from artifact
          where artifact.id in (select combined.id from combined) and ${inOneOf([sight])}`,
  }
}
