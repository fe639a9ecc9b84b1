import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { KeysetPosition } from '../../platform/http/pages.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { ArtifactId } from '../artifact.ts'
import { isVisibleInTracker } from '../visibility.ts'
import { conditionSql } from './condition-sql.ts'
import { membershipsCte, type Search } from './find-ids.ts'
import { keysSql, sortCursorSql } from './order-sql.ts'

/** A search that is evaluated repeatedly for single artifacts: returns the matches and their sort positions. */
export interface MatchQuery {
  readonly branch: (index: number) => RawBuilder<Row>
  /** The statement without its values: queries of one shape run together. */
  readonly shape: string
  readonly parameters: readonly unknown[]
  /** Queries with the same key have the same result for any viewer in one state of the tracker. */
  readonly key: string
}

export interface Match {
  readonly id: ArtifactId
  readonly place: KeysetPosition
}

interface Row extends Match {
  readonly question: number
}

/** Placeholder for the artifact ids in a statement. */
const PLACEHOLDER_IDS: readonly ArtifactId[] = []

/** The access is valid for one access version of the tracker: the caller compares it in the same snapshot. */
export function createMatchQuery(db: Db, access: TrackerAccess, { condition, order }: Search): MatchQuery {
  const [me] = membershipsCte([access], condition)
  const fits = conditionSql(condition, { viewer: access.viewer, isOfFew: true })
  const branch = (index: number) => sql<Row>`
    select ${index}::integer as question, fitting.id, ${sortCursorSql(order, 'fitting')} as place
    from (${me ? sql`with ${me}` : sql``} select ${keysSql(order, new Set([access.tracker.id]))} from artifact
      where artifact.id = any(${PLACEHOLDER_IDS}::bigint[]) and ${isVisibleInTracker(access)} and ${fits}) fitting`
  const { sql: shape, parameters } = branch(0).compile(db)
  const key = JSON.stringify([access.tracker.id, shape, parameters])
  return { branch, shape, parameters, key }
}

/** Queries of one shape per statement. Few sizes keep the number of prepared statements low. */
const STATEMENT_SIZES = [1, 2, 4, 8, 16, 32]
const MAX_QUERIES_PER_STATEMENT = 32

/**
 * Matches each artifact against each query, with one prepared statement per shape. The generic plan stays good, because
 * it always looks up a few rows by id.
 */
export async function matchArtifacts(
  tx: Tx,
  matchings: readonly MatchQuery[],
  ids: readonly ArtifactId[],
): Promise<Map<MatchQuery, Match[]>> {
  const found = new Map<MatchQuery, Match[]>(matchings.map((matching) => [matching, []]))
  if (ids.length === 0 || matchings.length === 0) return found
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)
  for (const alike of Map.groupBy(matchings, ({ shape }) => shape).values())
    for (let from = 0; from < alike.length; from += MAX_QUERIES_PER_STATEMENT) {
      const some = alike.slice(from, from + MAX_QUERIES_PER_STATEMENT)
      const { rows } = await tx.executeQuery(statementFor(tx, padded(some), ids))
      for (const { question, id, place } of rows) {
        const matching = some[question]
        if (matching) found.get(matching)?.push({ id, place })
      }
    }
  return found
}

/** Pads with copies of the last query, which is cheaper than another statement. */
function padded(some: readonly MatchQuery[]): readonly MatchQuery[] {
  const size = STATEMENT_SIZES.find((each) => each >= some.length) ?? MAX_QUERIES_PER_STATEMENT
  return Array.from({ length: size }, (_, at) => some[Math.min(at, some.length - 1)]).filter(
    (each) => each !== undefined,
  )
}

const statements = new LRUCache<string, CompiledQuery<Row>>({ max: 500 })

function statementFor(tx: Tx, alike: readonly MatchQuery[], ids: readonly ArtifactId[]): CompiledQuery<Row> {
  const key = `${alike.length} ${alike[0]?.shape}`
  const known = statements.get(key)
  const statement = known ?? unionOf(alike).compile(tx)
  statements.set(key, statement)
  const parameters = alike.flatMap((matching, index) => [
    index,
    ...matching.parameters.slice(1).map((each) => (each === PLACEHOLDER_IDS ? ids : each)),
  ])
  return { ...statement, parameters }
}

function unionOf(alike: readonly MatchQuery[]): RawBuilder<Row> {
  return sql<Row>`${sql.join(
    alike.map(({ branch }, index) => branch(index)),
    sql` union all `,
  )}`
}

/** State of an artifact, independent of the viewer. */
export interface ArtifactState {
  readonly id: ArtifactId
  readonly version: number
  readonly is_deleted: boolean
}

/** Missing artifacts are omitted. */
export async function loadArtifactStates(tx: Tx, ids: readonly ArtifactId[]): Promise<Map<ArtifactId, ArtifactState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ArtifactState>`
    select artifact.id, artifact.version, artifact.deleted_on is not null as is_deleted
    from artifact where artifact.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
