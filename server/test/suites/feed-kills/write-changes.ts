import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestClient, Response } from '../../harness/client.ts'
import type { MadeTracker } from '../../fixtures/every-field.ts'
import type { RepeatableRandom } from '../fuzz/random.ts'
import { MARA, TOM } from '../../fixtures/people.ts'

interface Writing {
  readonly apis: readonly TestClient[]
  readonly tracker: MadeTracker
  readonly changes: number
  readonly writers: number
  readonly random: RepeatableRandom
  /** The writers continue until this returns true. */
  readonly mayEnd: () => boolean
}

/**
 * Creates at least `changes` versions with concurrent writers while servers are killed. Resolves with the number of
 * versions.
 */
export async function writeChanges({ apis, tracker, changes, writers, random, mayEnd }: Writing): Promise<number> {
  const artifacts: number[] = []
  let made = 0
  const write = async () => {
    while (made < changes || !mayEnd()) {
      if (made >= changes) await pause(1000) // Enough changes; kills are still outstanding.
      made++
      const artifact = random.pickAny(artifacts)
      if (artifact === undefined || random.chance(0.1)) artifacts.push(await create())
      else await change(artifact)
    }
  }
  const create = async () => {
    const body = { tracker: { id: tracker.id }, values_by_field: { summary: `Crate ${random.integer(1, 1e6)}` } }
    const { json } = await send('post', '/artifacts', body, 201)
    return Number(json.id)
  }
  const change = (artifact: number) =>
    send(
      'put',
      `/artifacts/${artifact}`,
      random.chance(0.2)
        ? { comment: { body: `Seen ${randomUUID()}`, format: 'text' } }
        : { values_by_field: { details: `As of ${randomUUID()}` } },
      200,
    )
  /** Retries with the same idempotency key until there is a response: a killed server may or may not have committed. */
  const send = async (method: 'post' | 'put', path: string, body: object, wanted: number): Promise<Response> => {
    const options = { as: random.chance(0.5) ? MARA : TOM, body, headers: { 'idempotency-key': randomUUID() } }
    for (;;) {
      const answer = await random
        .pickAny(apis)
        ?.[method](path, options)
        .catch(() => undefined)
      if (answer?.status === wanted) return answer
      if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
        throw new Error(`${path}: ${answer.status} ${answer.text}`)
      await pause(50)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return made
}
