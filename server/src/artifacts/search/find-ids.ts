import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { alwaysReplanHint } from '../../platform/database/prepare-statements.ts'
import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { artifactCount } from '../../trackers/counter.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import { type Condition, ALWAYS_TRUE, ALWAYS_FALSE } from '../../trackers/search/condition.ts'
import { joinAll } from '../../trackers/search/join-conditions.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { fromTracker, fromTrackers } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import { isVisibleInTrackers, visibleArtifactCount } from '../visibility.ts'
import { type Budget, budgetOf } from './budget.ts'
import { type BitmapQuery, buildBitmapQuery } from './bitmap-query.ts'
import { changedSinceSql } from './changed-since.ts'
import { countByIndexes } from './count-sql.ts'
import { asksForLinks, conditionSql } from './condition-sql.ts'
import { type EntryVersions, toEntryVersions } from './entry-versions.ts'
import { fewHitsSql, hitsInOrderSql, singleValueIn } from './few-hits.ts'
import { afterCursorSql, keysSql, type SortOrder, orderSql, sortCursorSql } from './order-sql.ts'
import { runBriefly, runSearch } from './run-search.ts'
import type { SearchMemory, SelectedPage } from './search-memory.ts'
import { chooseSource, fromSource, type SearchSource, usableSummaries } from './search-source.ts'
import { keysetByIndex } from './keyset-by-index.ts'
import { summaryKeysSql } from './summary-keys.ts'

export interface Search {
  readonly condition: Condition
  readonly order: SortOrder
  /** The moment whose values are compared; absent for now. */
  readonly asOf?: Date | undefined
  /** The size may be left out if it would take long. */
  readonly isSizeOptional?: boolean
}

export interface FoundIds {
  readonly rows: readonly { readonly id: ArtifactId; readonly place: KeysetPosition }[]
  readonly size: number | 'later'
  /** The row versions of the page; absent if the statement does not read them. */
  readonly versions?: EntryVersions
  /** True if the access versions of the trackers were still current in this snapshot. */
  readonly isCurrent: boolean
}

/**
 * A page plus one row of matching ids in these trackers (ordered by id), and the exact total, in one snapshot. With a
 * memory, results of a page with few hits are taken from it.
 */
export async function findIds(
  db: Db | Tx,
  accesses: readonly TrackerAccess[],
  search: Search,
  page: Pagination,
  memory?: SearchMemory,
): Promise<FoundIds> {
  const budget = budgetOf(search.condition, search.asOf)
  const few = fewHitsStatement(accesses, search, page)
  const fewRow = few && (await findFew(db, few, budget, memory))
  const isFew = typeof fewRow?.size === 'number'
  const row = isFew ? fewRow : await findMany(db, accesses, search, page, budget, memory)
  const known = accesses.map(({ tracker }) => tracker.stamp)
  return {
    rows: row?.found ?? [],
    size: row?.size === null ? 'later' : (row?.size ?? 0),
    ...(row?.versions && { versions: toEntryVersions(row.versions) }),
    isCurrent: row?.stamps.join(' ') === known.join(' '),
  }
}

async function findFew(
  db: Db | Tx,
  statement: RawBuilder<SelectedPage>,
  budget: Budget | undefined,
  memory: SearchMemory | undefined,
): Promise<SelectedPage | undefined> {
  const compiled = memory && statement.compile(db)
  const known = compiled && (await memory.find(compiled))
  if (known) return known
  const [row] = (await runSearch(db, statement, budget)).rows
  if (row && compiled) memory.store(compiled, row)
  return row
}

/** How long the size may take if it is optional. */
const COUNTING_MS = 300

async function findMany(
  db: Db | Tx,
  accesses: readonly TrackerAccess[],
  search: Search,
  page: Pagination,
  budget: Budget | undefined,
  memory: SearchMemory | undefined,
): Promise<SelectedRow | undefined> {
  const key = JSON.stringify([
    accesses.map(({ tracker }) => tracker.id),
    accesses[0]?.viewer.account_id,
    search.condition,
    search.asOf,
  ])
  const expectsFew =
    !asksForAll(search.condition) && (memory?.sizes.get(key) ?? Number.POSITIVE_INFINITY) <= MAX_GATHERED_ROWS
  const sized = searchStatement(accesses, search, page, expectsFew)
  const [row] = search.isSizeOptional
    ? await runBriefly(db, sized, COUNTING_MS, budget)
    : (await runSearch(db, sized, budget)).rows
  if (!row) return (await runSearch(db, pageStatement(accesses, search, page), budget)).rows[0]
  if (row.size !== null) memory?.sizes.set(key, row.size)
  return row
}

/** Undefined for searches that need the artifacts themselves. */
function fewHitsStatement(
  accesses: readonly TrackerAccess[],
  { condition, order, asOf }: Search,
  page: Pagination,
): RawBuilder<SelectedPage> | undefined {
  const only = asOf ? undefined : onlyTracker(splitByTracker(accesses, condition))
  const value = only && singleValueIn(only.access, only.condition, order)
  return value && fewHitsSql(accesses, only.access, value, order, page)
}

/** The tracker and its condition, if the search is about one tracker. */
function onlyTracker([part, ...others]: readonly Part[]): { access: TrackerAccess; condition: Condition } | undefined {
  const [access, ...more] = part?.accesses ?? []
  return part && access && others.length + more.length === 0 ? { access, condition: part.condition } : undefined
}

/** The number of matches. */
export async function countFound(db: Db | Tx, accesses: readonly TrackerAccess[], search: Search): Promise<number> {
  const { size } = await findIds(db, accesses, search, { limit: 0, offset: 0, after: undefined })
  if (size === 'later') throw new TypeError('A search that is counted needs its size.')
  return size
}

/** All matches in order, in batches from a database cursor in the snapshot of the transaction. */
export async function* streamIds(
  tx: Tx,
  accesses: readonly TrackerAccess[],
  { condition, order, asOf }: Search,
  batchSize: number,
): AsyncGenerator<readonly ArtifactId[]> {
  const [me] = membershipsCte(accesses, condition)
  const rows = rowsSql(splitByTracker(accesses, condition), asOf, order)
  await sql`declare walk no scroll cursor for ${me ? sql`with ${me}` : sql``}
    select fitting.id from (${rows}) fitting order by ${orderSql(order, 'fitting')}`.execute(tx)
  for (;;) {
    const { rows: some } = await sql<{ id: ArtifactId }>`fetch ${sql.lit(batchSize)} from walk`.execute(tx)
    if (some.length > 0) yield some.map(({ id }) => id)
    if (some.length < batchSize) break
  }
  await sql`close walk`.execute(tx)
}

type SelectedRow = Omit<SelectedPage, 'snapshot'>

/** Trackers with the same condition. */
interface Part {
  readonly accesses: readonly TrackerAccess[]
  readonly condition: Condition
}

/** Splits the condition by tracker: a name may mean a different field in each, and each field has its own index. */
export function splitByTracker(accesses: readonly TrackerAccess[], condition: Condition): readonly Part[] {
  const asked = (condition.kind === 'any' ? condition.of : [condition]).map(partIn)
  const parts = asked.filter((part) => part !== undefined)
  if (parts.length === 0 || parts.length < asked.length) return [{ accesses, condition }]
  return parts.map(({ ids, condition: each }) => ({
    accesses: accesses.filter(({ tracker }) => ids.includes(tracker.id)),
    condition: each,
  }))
}

function partIn(condition: Condition): { ids: readonly TrackerId[]; condition: Condition } | undefined {
  if (condition.kind === 'tracker') return { ids: condition.ids, condition: ALWAYS_TRUE }
  const [first, ...others] = condition.kind === 'all' ? condition.of : []
  return first?.kind === 'tracker' ? { ids: first.ids, condition: joinAll(others) } : undefined
}

/** The table and the moment of a part: the same for its rows and its condition. */
interface PartSource {
  readonly source: SearchSource
  readonly asOf?: Date | undefined
  readonly isUnchanged?: true
}

/** True if the row of `artifact` is visible and matches. */
function fitsSql({ accesses, condition }: Part, { asOf, ...read }: PartSource): RawBuilder<boolean> {
  const [access] = accesses
  if (!access) return sql`false`
  const searching = { viewer: access.viewer, asOf, summaries: usableSummaries(accesses), ...read }
  return sql`${isVisibleInTrackers(accesses)} and ${conditionSql(condition, searching)}
    and ${asOf ? sql`artifact.submitted_on <= ${asOf}` : sql`true`}`
}

/**
 * For a moment of the past: artifacts whose fields have not changed since are compared by their current values, which have
 * indexes. The others are found by their later versions.
 */
function waysToFit(part: Part, source: SearchSource, asOf: Date | undefined): RawBuilder<boolean>[] {
  if (!asOf) return [fitsSql(part, { source })]
  const changed = changedSinceSql(part.condition, asOf)
  return [
    sql`${fitsSql(part, { source, asOf, isUnchanged: true })} and not ${changed}`,
    sql`${fitsSql(part, { source, asOf })} and ${changed}`,
  ]
}

/** The CTE `me`, if a condition needs it. */
export function membershipsCte([access]: readonly TrackerAccess[], condition: Condition): RawBuilder<unknown>[] {
  return access && asksForLinks(condition) ? [sql`me as materialized (${memberships(access.viewer)})`] : []
}

const BY_ID: SortOrder = { keys: [], isDescending: false }

export function rowsSql(parts: readonly Part[], asOf: Date | undefined, order: SortOrder = BY_ID): RawBuilder<unknown> {
  const each = parts.flatMap((part) => {
    const source = chooseSource(usableSummaries(part.accesses), part.condition, order.keys)
    const columns = columnsFrom(source, part.accesses, order)
    return waysToFit(part, source, asOf).map((fits) => sql`select ${columns} where ${fits}`)
  })
  return sql.join(each, sql` union all `)
}

/** The columns of `fitting` with their source. */
function columnsFrom(source: SearchSource, accesses: readonly TrackerAccess[], order: SortOrder): RawBuilder<unknown> {
  if (source === 'artifact')
    return sql`${keysSql(order, new Set(accesses.map(({ tracker }) => tracker.id)))} from artifact`
  const { columns, joins } = summaryKeysSql(order)
  return sql`${columns} from ${fromSource(source)} ${joins}`
}

/** All matching ids, unordered. */
export function fittingSql(accesses: readonly TrackerAccess[], { condition, asOf }: Search): RawBuilder<unknown> {
  const [me] = membershipsCte(accesses, condition)
  return sql`${me ? sql`with ${me}` : sql``} ${rowsSql(splitByTracker(accesses, condition), asOf)}`
}

/** Their number is stored. */
function asksForAll(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.length === 0
}

/** The exact count without reading each artifact; undefined if each must be read. */
function sizeSql({ accesses: [access, ...others], condition }: Part): RawBuilder<number> | undefined {
  if (!access || condition === ALWAYS_FALSE) return sql`0`
  if (asksForAll(condition)) {
    const sizes = [access, ...others].map(
      (each) => sql`(select ${visibleArtifactCount(each)} from ${fromTracker(each.tracker.id)})`,
    )
    return sql`(${sql.join(sizes, sql` + `)})`
  }
  return others.length > 0 ? undefined : countByIndexes(access, condition)
}

/** Up to this number, sorting is faster than scanning a whole tracker in index order. */
const MAX_SORTED_ROWS = 20_000

/** Up to this number, reading all hits is faster than planning the ways for more. */
const MAX_GATHERED_ROWS = 1000

/** Above 25 % selectivity an index scan reads at most four rows per hit. */
function fewIn(parts: readonly Part[]): RawBuilder<number> {
  const trackers = parts.flatMap(({ accesses }) => accesses.map(({ tracker }) => tracker.id))
  return sql`least(${MAX_SORTED_ROWS}, (select sum(${artifactCount}) / 4 from ${fromTrackers(trackers)}))`
}

/**
 * Matches are computed once, then counted and sorted. If the indexes know that there are many, only the page is read,
 * in index order. If few are expected, this is left out: planning it takes longer than reading them. A wrong expectation
 * changes only the time.
 */
function searchStatement(
  accesses: readonly TrackerAccess[],
  search: Search,
  page: Pagination,
  expectsFew: boolean,
): RawBuilder<SelectedRow> {
  const { condition, order, asOf } = search
  const parts = splitByTracker(accesses, condition)
  const rows = rowsSql(parts, asOf, order)
  const sizing = asOf ? undefined : sizingOf(parts, order, expectsFew)
  const pageOf = (source: RawBuilder<unknown>) => pageOfSql(source, order, page)
  const inOrder = sizing && valueInOrder(parts, order)
  const found = inOrder
    ? pageOf(sql`(${inOrder}) fitting`)
    : sizing
      ? sql`case when (select sized.size from sized) > ${fewIn(parts)}
        then ${pageOf(sql`(${walked(parts, order, page) ?? (asksForLinks(condition) ? sizing.rows : undefined) ?? rows}) fitting`)}
        else ${pageOf(sql`fitting`)} end`
      : pageOf(sql`fitting`)
  const before = [
    ...membershipsCte(accesses, condition),
    ...(sizing?.before ?? []),
    ...(inOrder ? [] : [sql`fitting as materialized (${sizing?.rows ?? rows})`]),
    sql`sized as materialized (select ${sizing?.size ?? sql`(select count(*) from fitting)`}::bigint as size)`,
  ]
  return sql<SelectedRow>`${alwaysReplanHint} with ${sql.join(before)}
    select ${stampsOf(accesses)} as stamps, (select sized.size from sized) as size, ${found} as found`
}

/** The page alone: reading stops when it is full, if an index has its order. */
function pageStatement(
  accesses: readonly TrackerAccess[],
  { condition, order, asOf }: Search,
  page: Pagination,
): RawBuilder<SelectedRow> {
  const parts = splitByTracker(accesses, condition)
  const [me] = membershipsCte(accesses, condition)
  const rows = (asOf ? undefined : walked(parts, order, page)) ?? rowsSql(parts, asOf, order)
  return sql<SelectedRow>`${alwaysReplanHint} ${me ? sql`with ${me}` : sql``}
    select ${stampsOf(accesses)} as stamps, null::bigint as size, ${pageOfSql(sql`(${rows}) fitting`, order, page)} as found`
}

function stampsOf(accesses: readonly TrackerAccess[]): RawBuilder<readonly string[]> {
  return sql`array(select ${accessVersion} from ${fromTrackers(accesses.map(({ tracker }) => tracker.id))} order by tracker.id)`
}

function pageOfSql(source: RawBuilder<unknown>, order: SortOrder, page: Pagination): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(found), '[]') from (
    select fitting.id, ${sortCursorSql(order, 'fitting')} as place from ${source}
    where ${page.after ? afterCursorSql(order, page.after, 'fitting') : sql`true`} order by ${orderSql(order, 'fitting')}
    limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}) found)`
}

/** The hits of a single list value, in the order of the page; undefined for other searches. */
function valueInOrder(parts: readonly Part[], order: SortOrder): RawBuilder<unknown> | undefined {
  const only = onlyTracker(parts)
  const value = only && singleValueIn(only.access, only.condition, order)
  return value && hitsInOrderSql(value, isVisibleInTrackers([only.access]))
}

/** The rows of the page in index order, read until the page is full; undefined if no index has this order. */
function walked(parts: readonly Part[], order: SortOrder, page: Pagination): RawBuilder<unknown> | undefined {
  const [part, ...others] = parts
  if (!part || others.length > 0 || part.accesses.length !== 1) return undefined
  const summaries = usableSummaries(part.accesses)
  const source = chooseSource(summaries, part.condition)
  return keysetByIndex({ condition: part.condition, fits: fitsSql(part, { source }), source, summaries }, order, page)
}

/** The exact count without reading each artifact. */
interface Sizing {
  readonly size: RawBuilder<number>
  /** CTEs that count and rows share. */
  readonly before?: readonly RawBuilder<unknown>[]
  /** The rows of `fitting` if there are few; absent for the default. */
  readonly rows?: RawBuilder<unknown> | undefined
}

function sizingOf(parts: readonly Part[], order: SortOrder, expectsFew: boolean): Sizing | undefined {
  const sizes = parts.map(sizeSql)
  const known = sizes.filter((size) => size !== undefined)
  if (known.length === sizes.length) return expectsFew ? undefined : { size: sql`(${sql.join(known, sql` + `)})` }
  const only = onlyTracker(parts)
  const combined = only && buildBitmapQuery(only.access, only.condition)
  return combined && sizingByTerms(only.access, combined, order)
}

function sizingByTerms(access: TrackerAccess, { ids, isComplement }: BitmapQuery, order: SortOrder): Sizing {
  const counted = sql<number>`(select count(*) from combined)`
  const all = sql<number>`(select ${visibleArtifactCount(access)} from ${fromTracker(access.tracker.id)})`
  const source = chooseSource(usableSummaries([access]), ALWAYS_TRUE, order.keys)
  const isCombined = sql`exists (select from combined where combined.id = artifact.id)`
  return {
    before: [sql`combined as materialized (${ids})`],
    size: isComplement ? sql`(${all} - ${counted})` : counted,
    rows: sql`select ${columnsFrom(source, [access], order)}
      where ${isComplement ? sql`not ` : sql``}${isCombined} and ${isVisibleInTrackers([access])}`,
  }
}
