import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findDependentArtifacts } from '../../artifacts/links/find-dependent.ts'
import { findNextMatches } from '../../artifacts/search/find-id-bitmap.ts'
import {
  type ArtifactState,
  type Match,
  matchArtifacts,
  loadArtifactStates,
} from '../../artifacts/search/match-artifacts.ts'
import type { Tx } from '../../platform/database/db.ts'
import { type ResultSet, windowRows } from './result-set.ts'
import { compareSortKeys, trackSortKeyComparison } from './compare-sort-keys.ts'
import { changedArtifactsOf, type FeedChanges } from './read-feed-changes.ts'
import { type RecheckedRows, getBufferSize, replaceRows, type ResultBuffer, type ResultRow } from './result-buffer.ts'
import { type WindowChange, diffWindow } from './diff-window.ts'
import type { TextOrder } from './text-order.ts'

/** Above this number of changed rows the result is reloaded instead. */
const MAX_CHANGED_ROWS = 500

/** A result set with its new rows, before they are applied. */
export interface ResultUpdate {
  readonly resultSet: ResultSet
  readonly rechecked: RecheckedRows
  readonly rows: readonly ResultRow[]
  readonly isComplete: boolean
  readonly states: ReadonlyMap<ArtifactId, ArtifactState>
}

export interface RefreshedResults {
  readonly updates: readonly ResultUpdate[]
  /** Result sets with too many changed rows. */
  readonly overrun: readonly ResultSet[]
}

/** Checks only the changed artifacts: whether they match these queries now, and at which position. */
export async function refreshResults(
  tx: Tx,
  resultSets: readonly ResultSet[],
  feedChanges: FeedChanges,
  texts: TextOrder,
): Promise<RefreshedResults> {
  const overrun: ResultSet[] = []
  const updates: ResultUpdate[] = []
  const alike = Map.groupBy(resultSets, ({ access, dependencies }) =>
    JSON.stringify([access.tracker.id, dependencies.links]),
  )
  for (const some of alike.values()) {
    const ids = await findAffectedArtifacts(tx, some, feedChanges)
    if (ids.length > MAX_CHANGED_ROWS) overrun.push(...some)
    else if (ids.length > 0) updates.push(...(await recheckArtifacts(tx, some, ids, texts)))
  }
  return { updates, overrun }
}

/** All changed artifacts on which the result sets, all of one tracker, may depend. */
async function findAffectedArtifacts(
  tx: Tx,
  [resultSet]: readonly ResultSet[],
  feedChanges: FeedChanges,
): Promise<readonly ArtifactId[]> {
  if (!resultSet) return []
  const { access, dependencies } = resultSet
  if (dependencies.links.length === 0) return changedArtifactsOf(feedChanges, access.tracker.id)
  const written = [...feedChanges.changed].map(([id, { version }]) => ({ id, version }))
  if (written.length === 0 || written.length > MAX_CHANGED_ROWS) return written.map(({ id }) => id)
  return findDependentArtifacts(tx, written, dependencies.links, MAX_CHANGED_ROWS + 1)
}

async function recheckArtifacts(
  tx: Tx,
  resultSets: readonly ResultSet[],
  ids: readonly ArtifactId[],
  texts: TextOrder,
): Promise<readonly ResultUpdate[]> {
  const states = await loadArtifactStates(tx, ids)
  const matches = await matchArtifacts(
    tx,
    resultSets.map(({ matching }) => matching),
    ids,
  )
  const affected = resultSets.flatMap((resultSet) => {
    const rechecked = toRecheckedRows(ids, matches.get(resultSet.matching) ?? [], states)
    return isAffected(resultSet, rechecked) ? [{ answer: resultSet, looks: rechecked }] : []
  })
  const replace = () =>
    affected.map(({ answer: resultSet, looks: rechecked }) => ({
      answer: resultSet,
      looks: rechecked,
      rows: reorderRows(resultSet, rechecked, texts),
    }))
  let replacements = replace()
  while (await texts.verify(tx)) replacements = replace()
  const updates: ResultUpdate[] = []
  for (const { answer: resultSet, looks: rechecked, rows } of replacements)
    updates.push({ resultSet, rechecked, states, ...(await refillBuffer(tx, resultSet, rows)) })
  return updates
}

function toRecheckedRows(
  ids: readonly ArtifactId[],
  matches: readonly Match[],
  states: ReadonlyMap<ArtifactId, ArtifactState>,
): RecheckedRows {
  const rows = new Map(matches.map(({ id, place }) => [id, { id, place, version: states.get(id)?.version ?? 0 }]))
  return new Map(ids.map((id) => [id, rows.get(id)]))
}

/** Most changes in a tracker do not affect most queries on it. */
function isAffected({ result }: ResultSet, rechecked: RecheckedRows): boolean {
  return [...rechecked].some(([id, row]) => row !== undefined || result.ids.has(id))
}

function reorderRows(
  { search: { order }, result }: ResultSet,
  rechecked: RecheckedRows,
  texts: TextOrder,
): ResultRow[] {
  const rows = replaceRows(result, rechecked, (one, other) => compareSortKeys(order, texts, one.place, other.place))
  const rely = (one: ResultRow | undefined, other: ResultRow | undefined) => {
    if (one && other) trackSortKeyComparison(order, texts, one.place, other.place)
  }
  for (const row of rechecked.values()) {
    if (!row) continue
    const at = rows.indexOf(row)
    rely(at < 0 ? rows.at(-1) : rows[at - 1], row)
    if (at >= 0) rely(row, rows[at + 1])
  }
  return rows
}

/** When the lookahead buffer is empty, fetches the next rows by keyset. */
async function refillBuffer(
  tx: Tx,
  resultSet: ResultSet,
  rows: readonly ResultRow[],
): Promise<Pick<ResultBuffer, 'rows' | 'isComplete'>> {
  const { limit, access, search, result } = resultSet
  const bufferSize = getBufferSize(limit)
  if (rows.length > bufferSize) return { rows: rows.slice(0, bufferSize), isComplete: false }
  if (result.isComplete || rows.length >= limit) return { rows, isComplete: result.isComplete }
  const wanted = bufferSize - rows.length
  const next = await findNextMatches(tx, access, search, rows.at(-1)?.place, wanted)
  const states = await loadArtifactStates(
    tx,
    next.map(({ id }) => id),
  )
  // A row in both lists has moved, and the move is not sent yet.
  const come = new Set(next.map(({ id }) => id))
  const added = next.map(({ id, place }) => ({ id, place, version: states.get(id)?.version ?? 0 }))
  return { rows: [...rows.filter(({ id }) => !come.has(id)), ...added], isComplete: next.length < wanted }
}

/** The changes of a result set that its subscribers get. */
export interface ResultDiff {
  readonly resultSet: ResultSet
  readonly steps: readonly (WindowChange & { readonly why?: ChangeCause })[]
  readonly size: number
  readonly hasOtherSize: boolean
}

export type ChangeCause = 'created' | 'changed' | 'deleted' | 'window'

/** Applies the update to the result set and returns the difference for its subscribers. */
export function applyUpdate(
  { resultSet, rechecked, rows, isComplete, states }: ResultUpdate,
  feedChanges: FeedChanges,
): ResultDiff {
  const { ids } = resultSet.result
  const [before, sizeBefore] = [windowRows(resultSet), ids.size]
  const fitted = new Set([...rechecked.keys()].filter((id) => ids.has(id)))
  for (const [id, row] of rechecked)
    if (row) ids.add(id)
    else ids.delete(id)
  resultSet.result = { ids, rows, isComplete }
  const steps = diffWindow(before, windowRows(resultSet)).map((step) => {
    const { id } = step.row
    if (step.event === 'enter')
      return { ...step, why: enterCause(fitted.has(id) || !rechecked.has(id), feedChanges, id) }
    if (step.event === 'leave')
      return { ...step, why: rechecked.has(id) && !ids.has(id) ? leaveCause(step.row) : 'window' } as const
    return step
  })
  return { resultSet, steps, size: ids.size, hasOtherSize: ids.size !== sizeBefore }

  /**
   * Deleted only if the client had this very version: a later one may have been hidden from them before the deletion.
   */
  function leaveCause({ id, version }: ResultRow): ChangeCause {
    const state = states.get(id)
    return !state || (state.is_deleted && state.version === version) ? 'deleted' : 'changed'
  }
}

function enterCause(isOld: boolean, { changed }: FeedChanges, id: ArtifactId): ChangeCause {
  if (isOld) return 'window'
  return changed.get(id)?.isCreated ? 'created' : 'changed'
}
