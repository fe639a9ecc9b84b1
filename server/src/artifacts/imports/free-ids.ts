import { sql } from 'kysely'
import type { BulkWriteContext } from '../../platform/http/bulk-route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ImportLine } from './import-line.ts'

interface FreeIds {
  /** Ids that artifacts have already. */
  readonly taken: ReadonlySet<number>
  /** Lines whose id is outside of the ids that can be set. */
  readonly refusals: ReadonlyMap<ImportLine, ApiError>
}

/** Ids are set below this number, counted from the first id of the installation. All above belong to the sequence. */
const SETTABLE_IDS = 2 ** 31 - 1

/** Checks the ids that lines set, and moves the sequence of ids past them. */
export async function freeIds({ tx, isDryRun }: BulkWriteContext, lines: readonly ImportLine[]): Promise<FreeIds> {
  const given = lines.filter((line) => line.id !== undefined)
  if (given.length === 0) return { taken: new Set(), refusals: new Map() }
  const { rows: bounds } = await sql<{ base: number }>`
    select last_value >> 40 << 40 as base from artifact_id_seq`.execute(tx)
  const base = bounds[0]?.base ?? 0
  const isSettable = (id: number) => id > base && id <= base + SETTABLE_IDS
  const refusals = new Map(
    given.flatMap((line) => (isSettable(line.id ?? 0) ? [] : [[line, outOfRange(base)] as const])),
  )
  const ids = given.map(({ id = 0 }) => id).filter(isSettable)
  // The sequence first: an id that another write draws from now on is none of these.
  if (!isDryRun && ids.length > 0) await sql`select pass_artifact_id(${Math.max(...ids)}::bigint)`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    select artifact.id from artifact where artifact.id = any(${ids}::bigint[])`.execute(tx)
  return { taken: new Set(rows.map(({ id }) => id)), refusals }
}

function outOfRange(base: number): ApiError {
  const allowed = { minimum: base + 1, maximum: base + SETTABLE_IDS }
  return new ApiError('parameter_out_of_range', { path: 'id', rule: 'maximum', allowed })
}
