import { expect, test, vi } from 'vitest'
import { EVERY_FIELD, makeArtifact, makeTracker } from '../../../test/every-field.ts'
import { startWorld } from '../../../test/harness.ts'
import { MARA, TOM } from '../../../test/people.ts'

const { api, context } = await startWorld()

/** What happens at the first look of the next request, at its second one, and so on. */
function meanwhile(...happens: (() => Promise<unknown>)[]) {
  const trackers = { ...context.trackers }
  let isHappening = false
  vi.spyOn(context.trackers, 'at').mockImplementation(async (...asked) => {
    const seen = await trackers.at(...asked)
    if (isHappening) return seen // By those who are quicker.
    isHappening = true
    await happens.shift()?.()
    isHappening = false
    return seen
  })
}

test('a writer who lost twice and looked again is told after those who were quicker', async () => {
  const tracker = await makeTracker(api, EVERY_FIELD)
  const id = await makeArtifact(api, tracker, { summary: 'Crates' })
  const put = (values: object, headers: Record<string, string> = {}) =>
    api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: values }, headers })
  meanwhile(
    () => put({ points: 2 }),
    () => put({ points: 3 }),
  )

  // The key makes all its attempts one transaction; what it writes first is the new label.
  const answer = await put({ tags: ['never typed before'] }, { 'idempotency-key': 'patient-1' })

  expect(answer.status).toBe(200)
  await expect.poll(() => versionsTold(tracker.id), { timeout: 15_000 }).toEqual([1, 2, 3, 4])
})

const versionsTold = async (tracker: number): Promise<number[]> => {
  const { json } = await api.get(`/events?tracker=${tracker}`, { as: TOM })
  const told: { object: string; version: number }[] = json.events
  return told.filter(({ object }) => object.startsWith('artifacts/')).map(({ version }) => version)
}
