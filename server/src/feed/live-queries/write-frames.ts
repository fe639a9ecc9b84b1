import type { ArtifactId } from '../../artifacts/artifact.ts'
import { fieldsOf } from '../../artifacts/reading/artifact-table.ts'
import { type ArtifactHead, findHeads } from '../../artifacts/reading/find-artifact.ts'
import { type Audience, isShownByItself, plainReading } from '../../artifacts/reading/reading.ts'
import { represent } from '../../artifacts/reading/represent-artifact.ts'
import { showFound } from '../../artifacts/search/show-found.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Frame } from '../../platform/http/event-stream.ts'
import type { Context } from '../../platform/operation/context.ts'
import { versionTag } from '../../platform/wire/etag.ts'
import { type Place, writePlace } from '../place.ts'
import { type Answer, type Follower, windowOf } from './answer.ts'
import type { Told } from './look-again.ts'
import type { Row } from './result.ts'

/** Everything, for whoever has nothing. */
export function readyFrame(answer: Answer, place: Place): Frame {
  const rows = windowOf(answer).map((row) => ({ id: row.id, v: tagOf(row) }))
  return { id: writePlace(place), event: 'ready', data: { size: answer.result.ids.size, rows } }
}

/**
 * What each of those who are up to date is told, with the artifacts as he may read them. In the snapshot in which it was
 * found out who sees which of them.
 */
export async function writeFrames(
  context: Context,
  tx: Tx,
  told: readonly Told[],
  place: Place,
): Promise<Map<Follower, readonly Frame[]>> {
  const hearings = told.map((each) => ({ told: each, followers: listeners(each.answer) }))
  const show = await readBodies(context, tx, hearings)
  const frames = new Map<Follower, readonly Frame[]>()
  for (const { told: each, followers } of hearings)
    for (const follower of followers) frames.set(follower, framesFor(follower, each, place, show))
  return frames
}

interface Hearing {
  readonly told: Told
  readonly followers: readonly Follower[]
}

type Show = (follower: Follower, id: ArtifactId) => unknown

function framesFor(follower: Follower, { steps, size, hasOtherSize }: Told, place: Place, show: Show): Frame[] {
  const id = writePlace(place)
  const frames = steps.map(({ event, row, why, ...more }): Frame => {
    const data = { id: row.id, ...('position' in more && { position: more.position }), size, ...(why && { why }) }
    if (event === 'leave') return { id, event, data }
    return { id, event, data: { ...data, v: tagOf(row), artifact: show(follower, row.id) } }
  })
  return frames.length > 0 || !hasOtherSize ? frames : [{ id, event: 'size', data: { size } }]
}

/** Whoever has no room for it will be told everything anew: nothing is kept for him. */
function listeners({ followers }: Answer): Follower[] {
  const current = [...followers].filter(({ state }) => state === 'current')
  for (const follower of current) if (!follower.stream.hasRoom) follower.state = 'stale'
  return current.filter(({ state }) => state === 'current')
}

function tagOf({ id, version }: Row): string {
  return versionTag({ kind: 'artifact', id, version })
}

/** Reads what is to be shown: what is the same for all who see it once, the rest once for each viewer. */
async function readBodies(context: Context, tx: Tx, hearings: readonly Hearing[]): Promise<Show> {
  const heads = new Set<ArtifactId>()
  const wholes = new Map<string, { follower: Follower; ids: Set<ArtifactId> }>()
  for (const { told, followers } of hearings) {
    const ids = told.steps.flatMap(({ event, row }) => (event === 'leave' ? [] : [row.id]))
    if (ids.length === 0) continue
    for (const follower of followers) {
      const whole = wholes.get(readerOf(follower)) ?? { follower, ids: new Set() }
      if (!isPlain(follower)) wholes.set(readerOf(follower), whole)
      const wanted = isPlain(follower) ? heads : whole.ids
      for (const id of ids) wanted.add(id)
    }
  }
  const found = await findHeads(tx, [...heads])
  const shown = new Map<string, unknown>()
  for (const [reader, { follower, ids }] of wholes) {
    const audience = audienceOf(context, tx, follower)
    for (const artifact of await showFound(audience, follower.sight, [...ids], { withValues: true }))
      shown.set(`${reader} ${artifact.id}`, artifact)
  }
  return (follower, id) => {
    const head = found.get(id)
    const body = isPlain(follower)
      ? head && showHead(audienceOf(context, tx, follower), follower, head)
      : shown.get(`${readerOf(follower)} ${id}`)
    if (body === undefined) throw new TypeError(`Artifact ${id} is not there in the moment in which it was found.`)
    const { cut } = follower.asked
    return cut ? cut.element(body, fieldsOf(follower.sight)) : body
  }
}

/** Whether he asks for nothing that links, files, sums or references are needed for. */
function isPlain({ asked: { withValues, cut }, sight }: Follower): boolean {
  if (!withValues) return true
  const fields = fieldsOf(sight)
  return (cut?.picked('values', fields) ?? fields).every(isShownByItself)
}

/** Those who see the same are named alike. */
function readerOf({ guest: { viewer }, asked, sight }: Follower): string {
  return JSON.stringify([
    viewer.account_id ?? null,
    viewer.is_site_admin ?? false,
    viewer.is_restricted ?? false,
    asked.language.tag,
    sight.tracker.id,
  ])
}

function showHead(audience: Audience, { asked, sight }: Follower, head: ArtifactHead): unknown {
  const found = { ...head, sight }
  if (!asked.withValues) return represent(audience, found, { values: 'none' }, undefined)
  return represent(audience, found, { values: 'collection' }, plainReading(audience, found))
}

function audienceOf(context: Context, tx: Tx, { guest, asked }: Follower): Audience {
  return { context, db: tx, viewer: guest.viewer, language: asked.language }
}
