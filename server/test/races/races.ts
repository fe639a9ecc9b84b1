import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'
import type { Client, Response } from '../client.ts'
import { EVERY_FIELD, type MadeTracker, makeArtifact, makeTracker } from '../every-field.ts'
import { MARA, TOM } from '../people.ts'

interface Racing {
  /** Where writers go, in turn: one for each server process. */
  readonly apis: readonly [Client, ...Client[]]
  /** As the owner, who may read everything. */
  readonly db: Db
  readonly rounds: number
  readonly writers: number
}

interface RaceFigures {
  readonly race: string
  readonly rounds: number
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  /** How often a server had no time and was asked again. */
  readonly unheard: number
  readonly milliseconds: number
}

const PATIENCE = 20

interface Track extends Racing {
  readonly tracker: MadeTracker
}

export async function setTrack(racing: Racing): Promise<Track> {
  return { ...racing, tracker: await makeTracker(racing.apis[0], EVERY_FIELD) }
}

/** Of all writers that have read the same version, exactly one writes, and the others are told which one is there. */
export async function raceWithPrecondition(track: Track, by: 'etag' | 'last-modified'): Promise<RaceFigures> {
  const [api] = track.apis
  const id = await makeArtifact(api, track.tracker, { summary: { value: 'Contested' } })
  return race(track, `PUT with one ${by}`, async (round) => {
    const { headers } = await api.get(`/artifacts/${id}`, { as: MARA })
    const precondition: OutgoingHttpHeaders =
      by === 'etag' ? { 'if-match': headers.etag } : { 'if-unmodified-since': headers['last-modified'] }
    const answers = await atOnce(track, (client, writer) =>
      client.put(`/artifacts/${id}`, {
        as: writer % 2 === 0 ? MARA : TOM,
        headers: precondition,
        body: { values_by_field: { summary: `Round ${round}, writer ${writer}` } },
      }),
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1, `${won.length} writers have won: ${statusesOf(answers)}`)
    for (const { status, json, headers: told } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, json.error.reason], [412, 'version_mismatch'])
      assert.equal(told.etag, json.error.details.current_etag)
    }
    assert.equal(await versionsOf(track.db, id), round + 2)
    return answers
  })
}

/** Without a precondition everybody writes, one after the other, each only what he has sent. */
export async function raceWithout(track: Track): Promise<RaceFigures> {
  const [api] = track.apis
  const id = await makeArtifact(api, track.tracker, { summary: { value: 'Shared' } })
  return race(track, 'PUT without', async (round) => {
    const before = await versionsOf(track.db, id)
    const answers = await atOnce(track, (client, writer) => {
      const said = `Round ${round}, writer ${writer}`
      const body = { values_by_field: writer % 2 === 0 ? { summary: said } : { tags: [said.slice(0, 20)] } }
      return client.put(`/artifacts/${id}`, { as: MARA, body })
    })
    assert.equal(statusesOf(answers), JSON.stringify({ 200: track.writers }))
    assert.equal((await versionsOf(track.db, id)) - before, track.writers)
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: MARA })
    assert.match(json.values_by_field.summary.value, new RegExp(`^Round ${round}, writer \\d*[02468]$`))
    return answers
  })
}

/** Numbers have no gap, none comes twice, and they rise as the ids do. */
export async function raceCreations(track: Track): Promise<RaceFigures> {
  const { db } = track
  const tracker = await makeTracker(track.apis[0], { ...EVERY_FIELD, item_name: 'parcel', label: 'Parcels' })
  return race(track, 'POST', async (round) => {
    const answers = await atOnce(track, (client, writer) =>
      client.post('/artifacts', {
        as: writer % 2 === 0 ? MARA : TOM,
        body: { tracker: { id: tracker.id }, values_by_field: { summary: { value: `${round}-${writer}` } } },
      }),
    )
    assert.equal(statusesOf(answers), JSON.stringify({ 201: track.writers }))
    const { rows } = await sql<{ number: number }>`
      select number from artifact where tracker_id = ${tracker.id} order by id`.execute(db)
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, at) => at + 1),
    )
    return answers
  })
}

async function race(
  { rounds }: Racing,
  name: string,
  run: (round: number) => Promise<readonly Response[]>,
): Promise<RaceFigures> {
  const began = Date.now()
  const before = unheard
  const all: Response[] = []
  for (let round = 0; round < rounds; round++) all.push(...(await run(round)))
  return {
    race: name,
    rounds,
    requests: all.length,
    statuses: countStatuses(all),
    unheard: unheard - before,
    milliseconds: Date.now() - began,
  }
}

function atOnce(
  { apis, writers }: Racing,
  ask: (client: Client, writer: number) => Promise<Response>,
): Promise<Response[]> {
  const asked = Array.from({ length: writers }, (_, writer) =>
    untilHeard(() => ask(apis[writer % apis.length] ?? apis[0], writer)),
  )
  return Promise.all(asked)
}

let unheard = 0

/** A server that has no time has written nothing, and asks to be asked again. How often that was is told. */
async function untilHeard(ask: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (answer.status !== 503 || answer.json.error.reason !== 'unavailable' || attempt === PATIENCE) return answer
    unheard++
    await pause(100 * attempt)
  }
}

async function versionsOf(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ versions: number }>`
    select count(*) as versions from changeset where artifact_id = ${id}`.execute(db)
  return rows[0]?.versions ?? 0
}

function countStatuses(answers: readonly Response[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function statusesOf(answers: readonly Response[]): string {
  return JSON.stringify(countStatuses(answers))
}
