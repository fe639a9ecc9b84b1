import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findDependent } from '../../artifacts/links/find-dependent.ts'
import { findNext } from '../../artifacts/search/find-every-id.ts'
import { type ArtifactState, type Match, matchArtifacts, statesOf } from '../../artifacts/search/match-artifacts.ts'
import type { Tx } from '../../platform/database/db.ts'
import { type Answer, windowOf } from './answer.ts'
import { comparePlaces, relyOnPlaces } from './compare-places.ts'
import { changedIn, type News } from './read-news.ts'
import { type Looks, reachOf, replaceRows, type Result, type Row } from './result.ts'
import { type Step, tellDifference } from './tell-difference.ts'
import type { TextOrder } from './text-order.ts'

/** So many rows at once are read anew, and not told one by one. */
const MOST = 500

/** What has become of an answer. */
export interface Update {
  readonly answer: Answer
  readonly looks: Looks
  readonly rows: readonly Row[]
  readonly isComplete: boolean
  readonly states: ReadonlyMap<ArtifactId, ArtifactState>
}

export interface Looked {
  readonly updates: readonly Update[]
  /** Those of which too much has changed. */
  readonly overrun: readonly Answer[]
}

/** Asks of the artifacts that have changed, and of no others, whether they belong to these answers, and where. */
export async function lookAgain(tx: Tx, answers: readonly Answer[], news: News, texts: TextOrder): Promise<Looked> {
  const overrun: Answer[] = []
  const updates: Update[] = []
  const alike = Map.groupBy(answers, ({ sight, dependence }) => JSON.stringify([sight.tracker.id, dependence.links]))
  for (const some of alike.values()) {
    const ids = await idsFor(tx, some, news)
    if (ids.length > MOST) overrun.push(...some)
    else if (ids.length > 0) updates.push(...(await ask(tx, some, ids, texts)))
  }
  return { updates, overrun }
}

/** All that these answers, which are about one tracker, may depend on. */
async function idsFor(tx: Tx, [answer]: readonly Answer[], news: News): Promise<readonly ArtifactId[]> {
  if (!answer) return []
  const { sight, dependence } = answer
  if (dependence.links.length === 0) return changedIn(news, sight.tracker.id)
  const written = [...news.changed].map(([id, { version }]) => ({ id, version }))
  if (written.length === 0 || written.length > MOST) return written.map(({ id }) => id)
  return findDependent(tx, written, dependence.links, MOST + 1)
}

async function ask(
  tx: Tx,
  answers: readonly Answer[],
  ids: readonly ArtifactId[],
  texts: TextOrder,
): Promise<readonly Update[]> {
  const states = await statesOf(tx, ids)
  const matches = await matchArtifacts(
    tx,
    answers.map(({ matching }) => matching),
    ids,
  )
  const looked = answers.flatMap((answer) => {
    const looks = looksAt(ids, matches.get(answer.matching) ?? [], states)
    return isTouched(answer, looks) ? [{ answer, looks }] : []
  })
  const replace = () => looked.map(({ answer, looks }) => ({ answer, looks, rows: replaced(answer, looks, texts) }))
  let replacements = replace()
  while (await texts.verify(tx)) replacements = replace()
  const updates: Update[] = []
  for (const { answer, looks, rows } of replacements)
    updates.push({ answer, looks, states, ...(await filled(tx, answer, rows)) })
  return updates
}

function looksAt(
  ids: readonly ArtifactId[],
  matches: readonly Match[],
  states: ReadonlyMap<ArtifactId, ArtifactState>,
): Looks {
  const rows = new Map(matches.map(({ id, place }) => [id, { id, place, version: states.get(id)?.version ?? 0 }]))
  return new Map(ids.map((id) => [id, rows.get(id)]))
}

/** Most of what happens in a tracker is nothing to most who follow a part of it. */
function isTouched({ result }: Answer, looks: Looks): boolean {
  return [...looks].some(([id, row]) => row !== undefined || result.ids.has(id))
}

function replaced({ search: { order }, result }: Answer, looks: Looks, texts: TextOrder): Row[] {
  const rows = replaceRows(result, looks, (one, other) => comparePlaces(order, texts, one.place, other.place))
  const rely = (one: Row | undefined, other: Row | undefined) => {
    if (one && other) relyOnPlaces(order, texts, one.place, other.place)
  }
  for (const row of looks.values()) {
    if (!row) continue
    const at = rows.indexOf(row)
    rely(at < 0 ? rows.at(-1) : rows[at - 1], row)
    if (at >= 0) rely(row, rows[at + 1])
  }
  return rows
}

/** Where more have left than were kept behind the window, the next ones are read: those alone, by their place. */
async function filled(tx: Tx, answer: Answer, rows: readonly Row[]): Promise<Pick<Result, 'rows' | 'isComplete'>> {
  const { limit, sight, search, result } = answer
  const reach = reachOf(limit)
  if (rows.length > reach) return { rows: rows.slice(0, reach), isComplete: false }
  if (result.isComplete || rows.length >= limit) return { rows, isComplete: result.isComplete }
  const wanted = reach - rows.length
  const next = await findNext(tx, sight, search, rows.at(-1)?.place, wanted)
  const states = await statesOf(
    tx,
    next.map(({ id }) => id),
  )
  // One that is among both has moved, and that has not been told yet.
  const come = new Set(next.map(({ id }) => id))
  const added = next.map(({ id, place }) => ({ id, place, version: states.get(id)?.version ?? 0 }))
  return { rows: [...rows.filter(({ id }) => !come.has(id)), ...added], isComplete: next.length < wanted }
}

/** What an answer tells those who follow it. */
export interface Told {
  readonly answer: Answer
  readonly steps: readonly (Step & { readonly why?: Why })[]
  readonly size: number
  readonly hasOtherSize: boolean
}

export type Why = 'created' | 'changed' | 'deleted' | 'window'

/** Brings the answer up to date, and says what that means to whoever had the old one. */
export function applyUpdate({ answer, looks, rows, isComplete, states }: Update, news: News): Told {
  const { ids } = answer.result
  const [before, sizeBefore] = [windowOf(answer), ids.size]
  const fitted = new Set([...looks.keys()].filter((id) => ids.has(id)))
  for (const [id, row] of looks)
    if (row) ids.add(id)
    else ids.delete(id)
  answer.result = { ids, rows, isComplete }
  const steps = tellDifference(before, windowOf(answer)).map((step) => {
    const { id } = step.row
    if (step.event === 'enter') return { ...step, why: whyEntered(fitted.has(id) || !looks.has(id), news, id) }
    if (step.event === 'leave')
      return { ...step, why: looks.has(id) && !ids.has(id) ? whyGone(step.row) : 'window' } as const
    return step
  })
  return { answer, steps, size: ids.size, hasOtherSize: ids.size !== sizeBefore }

  /** Deleted in the very version that he had: in another one it might have been hidden from him before. */
  function whyGone({ id, version }: Row): Why {
    const state = states.get(id)
    return !state || (state.is_deleted && state.version === version) ? 'deleted' : 'changed'
  }
}

function whyEntered(isOld: boolean, { changed }: News, id: ArtifactId): Why {
  if (isOld) return 'window'
  return changed.get(id)?.isCreated ? 'created' : 'changed'
}
