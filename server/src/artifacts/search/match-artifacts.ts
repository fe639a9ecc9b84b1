import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Place } from '../../platform/http/pages.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { ArtifactId } from '../artifact.ts'
import { inSight } from '../visibility.ts'
import { conditionSql } from './condition-sql.ts'
import { meSql, type Search } from './find-ids.ts'
import { keysSql, placeSql } from './order-sql.ts'
import { ShortMemory } from '../../platform/operation/short-memory.ts'

/** A search that is asked of single artifacts, again and again: which of them fit now, and where they stand. */
export interface Matching {
  readonly branch: (index: number) => RawBuilder<Row>
  /** What it looks like without its values: matchings of one shape are asked together. */
  readonly shape: string
  readonly parameters: readonly unknown[]
  /** Matchings with the same key have the same answer, whoever asks, in one state of the tracker. */
  readonly key: string
}

export interface Match {
  readonly id: ArtifactId
  readonly place: Place
}

interface Row extends Match {
  readonly question: number
}

/** What stands in a statement for the artifacts that are asked about. */
const THOSE: readonly ArtifactId[] = []

/** The sight counts in the state of its tracker: whoever asks compares the stamp in the same snapshot. */
export function createMatching(db: Db, sight: Sight, { condition, order }: Search): Matching {
  const [me] = meSql([sight], condition)
  const fits = conditionSql(condition, { viewer: sight.viewer, isOfFew: true })
  const branch = (index: number) => sql<Row>`
    select ${index}::integer as question, fitting.id, ${placeSql(order, 'fitting')} as place
    from (${me ? sql`with ${me}` : sql``} select ${keysSql(order, new Set([sight.tracker.id]))} from artifact
      where artifact.id = any(${THOSE}::bigint[]) and ${inSight(sight)} and ${fits}) fitting`
  const { sql: shape, parameters } = branch(0).compile(db)
  const key = JSON.stringify([sight.tracker.id, shape, parameters])
  return { branch, shape, parameters, key }
}

/** So many of one shape in one statement. Few sizes mean few texts, each of which is prepared. */
const SIZES = [1, 2, 4, 8, 16, 32]
const LARGEST = 32

/**
 * Which of these artifacts fit each of the searches. A statement for each shape of them, not for each search; prepared
 * and never planned again, because it is always about a few rows that are found by their ids.
 */
export async function matchArtifacts(
  tx: Tx,
  matchings: readonly Matching[],
  ids: readonly ArtifactId[],
): Promise<Map<Matching, Match[]>> {
  const found = new Map<Matching, Match[]>(matchings.map((matching) => [matching, []]))
  if (ids.length === 0 || matchings.length === 0) return found
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)
  for (const alike of Map.groupBy(matchings, ({ shape }) => shape).values())
    for (let from = 0; from < alike.length; from += LARGEST) {
      const some = alike.slice(from, from + LARGEST)
      const { rows } = await tx.executeQuery(statementFor(tx, padded(some), ids))
      for (const { question, id, place } of rows) {
        const matching = some[question]
        if (matching) found.get(matching)?.push({ id, place })
      }
    }
  return found
}

/** The last one is asked again, to no purpose: a moment more, instead of another statement. */
function padded(some: readonly Matching[]): readonly Matching[] {
  const size = SIZES.find((each) => each >= some.length) ?? LARGEST
  return Array.from({ length: size }, (_, at) => some[Math.min(at, some.length - 1)]).filter(
    (each) => each !== undefined,
  )
}

const statements = new ShortMemory<string, CompiledQuery<Row>>(500)

function statementFor(tx: Tx, alike: readonly Matching[], ids: readonly ArtifactId[]): CompiledQuery<Row> {
  const key = `${alike.length} ${alike[0]?.shape}`
  const known = statements.get(key)
  const statement = known ?? unionOf(alike).compile(tx)
  statements.set(key, statement)
  const parameters = alike.flatMap((matching, index) => [
    index,
    ...matching.parameters.slice(1).map((each) => (each === THOSE ? ids : each)),
  ])
  return { ...statement, parameters }
}

function unionOf(alike: readonly Matching[]): RawBuilder<Row> {
  return sql<Row>`${sql.join(
    alike.map(({ branch }, index) => branch(index)),
    sql` union all `,
  )}`
}

/** What is true of artifacts, whoever looks at them. */
export interface ArtifactState {
  readonly id: ArtifactId
  readonly version: number
  readonly is_deleted: boolean
}

/** Those that are gone are not among them. */
export async function statesOf(tx: Tx, ids: readonly ArtifactId[]): Promise<Map<ArtifactId, ArtifactState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ArtifactState>`
    select artifact.id, artifact.version, artifact.deleted_on is not null as is_deleted
    from artifact where artifact.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}
