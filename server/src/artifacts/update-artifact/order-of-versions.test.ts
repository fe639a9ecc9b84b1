import { expect, test, vi } from 'vitest'
import { EVERY_FIELD, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld()

/** Actions to run at the first read of the next request, at its second one, and so on. */
function meanwhile(...happens: (() => Promise<unknown>)[]) {
  const trackers = { ...context.trackers }
  let isHappening = false
  vi.spyOn(context.trackers, 'at').mockImplementation(async (...asked) => {
    const seen = await trackers.at(...asked)
    if (isHappening) return seen // Reads by the concurrent writers themselves.
    isHappening = true
    await happens.shift()?.()
    isHappening = false
    return seen
  })
}

test('a writer who lost twice and retried appears in the feed after the faster writers', async () => {
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
  const put = (values: object, headers: Record<string, string> = {}) =>
    api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: values }, headers })
  meanwhile(
    () => put({ points: 2 }),
    () => put({ points: 3 }),
  )

  // The key puts all attempts into one transaction, which first writes the new label.
  const answer = await put({ tags: ['never typed before'] }, { 'idempotency-key': 'patient-1' })

  expect(answer.status).toBe(200)
  await expect.poll(() => versionsInFeed(tracker.id)).toEqual([1, 2, 3, 4])
})

const versionsInFeed = async (tracker: number): Promise<number[]> => {
  const { json } = await api.get(`/events?tracker=${tracker}`, { as: TOM })
  const events: { object: string; version: number }[] = json.events
  return events.filter(({ object }) => object.startsWith('artifacts/')).map(({ version }) => version)
}
