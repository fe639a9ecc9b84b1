import type { startWorld } from '../../server/test/harness/start-world.ts'
import { ADA, MARA } from '../../server/test/fixtures/people.ts'
import { BUG, BUGS } from '../../server/test/fixtures/seed-ids.ts'
import { leaveJob } from '../../server/test/fixtures/sample-jobs.ts'

const DELETED = ['Ladder without rungs', 'Bees on strike']

/** Data for the screens of site administrators: deleted and archived artifacts, a sign-in provider, a directory, and a failed job. */
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
  const provider = {
    name: 'company',
    label: 'Company account',
    issuer: 'https://login.orchard.test',
    client_id: 'waypost',
  }
  await api.post('/identity_providers', { as: ADA, body: { ...provider, client_authentication: 'none' } })
  const directory = {
    label: 'Company directory',
    urls: ['ldaps://ldap.orchard.test'],
    people_base: 'dc=orchard,dc=test',
  }
  await api.post('/directories', { as: ADA, body: { name: 'company', ...directory } })
  await leaveJob(context.db, { type: 'webhook_delivery' })
}
