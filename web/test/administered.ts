import type { startWorld } from '../../server/test/harness.ts'
import { ADA, MARA } from '../../server/test/people.ts'
import { BUG, BUGS } from '../../server/test/places.ts'
import { leaveJob } from '../../server/test/sample-jobs.ts'

const DELETED = ['Ladder without rungs', 'Bees on strike']

/** What site administrators find in the morning: something deleted and archived, and a job that has failed. */
export async function leaveTraces(
  { api, context }: Awaited<ReturnType<typeof startWorld>>,
  deleted = DELETED,
): Promise<void> {
  await api.patch('/settings', { as: ADA, body: { archive_deleted_artifacts: true } })
  for (const title of deleted) {
    const values = [{ field_id: BUG.summary, value: title }]
    const { json } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: BUGS }, values } })
    const { status, text } = await api.delete(`/artifacts/${json.id}`, { as: MARA })
    if (status !== 200) throw new Error(text)
  }
  await leaveJob(context.db, { type: 'webhook_delivery' })
}
