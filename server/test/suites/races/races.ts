import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import type { TestClient, Response } from '../../harness/client.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../fixtures/every-field.ts'
import { MARA, TOM } from '../../fixtures/people.ts'

interface RaceOptions {
  /** One client per server process, used in turn. */
  readonly apis: readonly [TestClient, ...TestClient[]]
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
  /** The number of retries after 503 responses. */
  readonly retries: number
  readonly milliseconds: number
}

const MAX_ATTEMPTS = 20

interface RaceTrack extends RaceOptions {
  readonly tracker: MadeTracker
}

export async function prepareRace(racing: RaceOptions): Promise<RaceTrack> {
  return { ...racing, tracker: await makeTestTracker(racing.apis[0], EVERY_FIELD) }
}

/** Of all writers that have read the same version exactly one succeeds; the others get the current version. */
export async function raceWithPrecondition(track: RaceTrack, by: 'etag' | 'last-modified'): Promise<RaceFigures> {
  const [api] = track.apis
  const id = await makeTestArtifact(api, track.tracker, { summary: { value: 'Contested' } })
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
    for (const { status, json, headers: refusalHeaders } of answers.filter((answer) => answer.status !== 200)) {
      assert.deepEqual([status, json.error.reason], [412, 'version_mismatch'])
      assert.equal(refusalHeaders.etag, json.error.details.current_etag)
    }
    assert.equal(await versionsOf(track.db, id), round + 2)
    return answers
  })
}

/** Without a precondition all writes succeed one after the other, and each changes only the sent fields. */
export async function raceWithout(track: RaceTrack): Promise<RaceFigures> {
  const [api] = track.apis
  const id = await makeTestArtifact(api, track.tracker, { summary: { value: 'Shared' } })
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

/** Numbers have no gaps or duplicates, and increase with the ids. */
export async function raceCreations(track: RaceTrack): Promise<RaceFigures> {
  const { db } = track
  const tracker = await makeTestTracker(track.apis[0], { ...EVERY_FIELD, item_name: 'parcel', label: 'Parcels' })
  return race(track, 'POST', async (round) => {
    const answers = await atOnce(track, (client, writer) =>
      client.post('/artifacts', {
        as: writer % 2 === 0 ? MARA : TOM,
        body: { tracker: { id: tracker.id }, values_by_field: { summary: { value: `${round}-${writer}` } } },
      }),
    )
    assert.equal(statusesOf(answers), JSON.stringify({ 201: track.writers }))
    const { rows } = await sql<{ number: number }>`
      select number from artifact where tracker_id = ${tracker.id} order by number`.execute(db)
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, at) => at + 1),
    )
    return answers
  })
}

async function race(
  { rounds }: RaceOptions,
  name: string,
  run: (round: number) => Promise<readonly Response[]>,
): Promise<RaceFigures> {
  const began = Date.now()
  const before = retryCount
  const all: Response[] = []
  for (let round = 0; round < rounds; round++) all.push(...(await run(round)))
  return {
    race: name,
    rounds,
    requests: all.length,
    statuses: countStatuses(all),
    retries: retryCount - before,
    milliseconds: Date.now() - began,
  }
}

function atOnce(
  { apis, writers }: RaceOptions,
  ask: (client: TestClient, writer: number) => Promise<Response>,
): Promise<Response[]> {
  const asked = Array.from({ length: writers }, (_, writer) =>
    retryUnavailable(() => ask(apis[writer % apis.length] ?? apis[0], writer)),
  )
  return Promise.all(asked)
}

let retryCount = 0

/** Retries after a 503, which means that nothing was written, and counts the retries. */
async function retryUnavailable(ask: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask()
    if (answer.status !== 503 || answer.json.error.reason !== 'unavailable' || attempt === MAX_ATTEMPTS) return answer
    retryCount++
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
