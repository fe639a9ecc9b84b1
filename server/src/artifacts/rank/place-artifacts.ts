import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'

// Ranks are integers with gaps: a move changes the moved rows only. If a gap is used up, the rows around it are spread
// over a window that doubles until it has enough room. The lock on the rank of the tracker serializes moves. Equal ranks
// are possible (an artifact comes from another tracker); the id decides, and the next move between them spreads them.

/** The distance between new artifacts; the increment of the sequence in the migration. */
export const RANK_STEP = 2 ** 20
/** After spreading, ten more moves fit into each gap. */
const MIN_SPREAD_GAP = 1024
const FIRST_WINDOW_SIZE = 32

export interface Placement {
  readonly tracker_id: TrackerId
  /** In their new order. */
  readonly ids: readonly ArtifactId[]
  readonly side: 'before' | 'after'
  readonly anchor: ArtifactId
}

interface RankedRow {
  readonly id: ArtifactId
  readonly rank: number
}

/** Whether the artifacts already stand there, in this order. */
export async function isInPlace(tx: Tx, { tracker_id, ids, side, anchor }: Placement): Promise<boolean> {
  const near = await findNeighbours(tx, { tracker_id, ids: [], side, anchor }, ids.length + 1)
  const found = side === 'before' ? near.below.slice(0, ids.length).toReversed() : near.above.slice(0, ids.length)
  return found.length === ids.length && found.every(({ id }, at) => id === ids[at])
}

/** Writes the ranks of the moved artifacts; returns the other artifacts whose ranks were spread. */
export async function placeArtifacts(tx: Tx, placement: Placement): Promise<readonly ArtifactId[]> {
  const { ids } = placement
  for (let size = 0; ; size = size === 0 ? FIRST_WINDOW_SIZE : size * 2) {
    const { below, above } = await findNeighbours(tx, placement, size + 1)
    const window = [...below.slice(0, size).toReversed(), ...ids, ...above.slice(0, size)].map(idOf)
    const high = above[size]?.rank ?? (await nextRank(tx))
    const low = below[size]?.rank ?? high - RANK_STEP * (window.length + 1)
    const gap = Math.floor((high - low) / (window.length + 1))
    if (gap < (size === 0 ? 1 : MIN_SPREAD_GAP)) continue
    await writeRanks(
      tx,
      window.map((id, at) => ({ id, rank: low + gap * (at + 1) })),
    )
    const moved = new Set(ids)
    return window.filter((id) => !moved.has(id))
  }
}

function idOf(row: ArtifactId | RankedRow): ArtifactId {
  return typeof row === 'object' ? row.id : row
}

/** The nearest artifacts on both sides of the new place, nearest first, without the moved ones; also deleted ones. */
async function findNeighbours(
  tx: Tx,
  { tracker_id, ids, side, anchor }: Placement,
  limit: number,
): Promise<{ below: readonly RankedRow[]; above: readonly RankedRow[] }> {
  const place = sql`(select anchor.rank, anchor.id from artifact anchor where anchor.id = ${anchor})`
  const others = sql`artifact.tracker_id = ${tracker_id} and artifact.id <> all(${ids}::bigint[])`
  const isBelow = side === 'before' ? sql`<` : sql`<=`
  const isAbove = side === 'before' ? sql`>=` : sql`>`
  const { rows: below } = await sql<RankedRow>`
    select artifact.id, artifact.rank from artifact
    where ${others} and (artifact.rank, artifact.id) ${isBelow} ${place}
    order by artifact.rank desc, artifact.id desc limit ${limit}`.execute(tx)
  const { rows: above } = await sql<RankedRow>`
    select artifact.id, artifact.rank from artifact
    where ${others} and (artifact.rank, artifact.id) ${isAbove} ${place}
    order by artifact.rank, artifact.id limit ${limit}`.execute(tx)
  return { below, above }
}

/** Above every rank that exists, and below those of artifacts that are created later. */
async function nextRank(tx: Tx): Promise<number> {
  const { rows } = await sql<{ rank: number }>`
    select nextval(pg_get_serial_sequence('artifact', 'rank')) as rank`.execute(tx)
  const [next] = rows
  if (!next) throw new TypeError('A sequence has a next value.')
  return next.rank
}

/** Locks in order of id, as every write of several artifacts does. */
async function writeRanks(tx: Tx, ranked: readonly RankedRow[]): Promise<void> {
  const ids = ranked.map(({ id }) => id)
  await sql`select from artifact where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx)
  await sql`
    update artifact set rank = ranked.rank
    from unnest(${ids}::bigint[], ${ranked.map(({ rank }) => rank)}::bigint[]) as ranked (id, rank)
    where artifact.id = ranked.id and artifact.rank <> ranked.rank`.execute(tx)
}
