import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { linking, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { ADA, MARA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { audited } from '../../../test/harness/audited.ts'
import { untilLockWaits } from '../../../test/harness/lock-waits.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()
let trees: MadeTracker
const { create, plant, update } = linking(api, () => trees)
const CUSTOM = { shortname: 'custom', forward_label: 'Relates to', reverse_label: 'Is related from' }
const remove = () => api.delete('/link_types/custom', { as: ADA })
const used = () =>
  refused(400, 'rule_violated', {
    cause: 'link_type_used',
    used_by: [{ type: 'tracker', id: trees.id, label: 'Trees' }],
  })

beforeEach(async () => {
  trees = await makeTestTracker(api, TREES)
  await api.post('/link_types', { as: ADA, body: CUSTOM })
})

test('an unused type is deleted, with the switches of projects', async () => {
  await api.put(`/projects/${ORCHARD}/link_types/custom`, { as: MARA, body: { enabled: false } })
  expect((await remove()).status).toBe(200)
  expect(await remove()).toMatchObject(refused(404, 'not_found'))
  expect((await api.get('/link_types/custom')).status).toBe(404)
  expect(await audited(context, 'link_type.delete')).toMatchObject([{ object: 'link_types/custom', before: CUSTOM }])

  expect((await api.post('/link_types', { as: ADA, body: CUSTOM })).status).toBe(201)
  expect((await api.get(`/projects/${ORCHARD}/link_types/custom`)).json.enabled).toBe(true)
})

test('a type of links is kept, also while its artifact is in the trash', async () => {
  const source = await plant({ links: [{ id: await plant(), type: 'custom' }] })
  expect(await remove()).toMatchObject(used())
  expect((await api.delete(`/artifacts/${source}`, { as: MARA })).status).toBe(200)
  expect(await remove()).toMatchObject(used())
  expect((await api.post(`/artifacts/${source}/restore`, { as: MARA })).status).toBe(200)

  expect((await update(source, { links: [] })).status).toBe(200)
  expect((await remove()).status).toBe(200)
})

test('a type that computes the progress of a tracker is kept', async () => {
  const address = `/trackers/${trees.id}/definition`
  const { json: definition } = await api.get(address, { as: MARA })
  const semantics = { ...definition.semantics, progress: { link_type: 'custom' } }
  expect((await api.put(address, { as: MARA, body: { ...definition, semantics } })).status).toBe(200)
  expect(await remove()).toMatchObject(used())
})

test('a link and the deletion of its type at the same moment: one of them is refused', async () => {
  const target = await plant()
  const links = { links: [{ id: target, type: 'custom' }] }
  const unknown = refused(400, 'reference_unknown', { cause: 'link_type_unknown' })

  // The deletion comes first: the link waits for it, and is planned again.
  const deletion = await context.db.startTransaction().execute()
  await sql`delete from link_type where shortname = 'custom'`.execute(deletion)
  const late = create(links)
  await untilLockWaits(context.db)
  await deletion.commit().execute()
  expect(await late).toMatchObject(unknown)

  // The link comes first: the deletion waits for it, and finds it.
  await api.post('/link_types', { as: ADA, body: CUSTOM })
  const source = await plant()
  const writer = await context.db.startTransaction().execute()
  await sql`insert into artifact_link (project_id, source_id, target_id, type)
    values (${ORCHARD}, ${source}, ${target}, 'custom')`.execute(writer)
  const refusal = remove()
  await untilLockWaits(context.db)
  await writer.commit().execute()
  expect(await refusal).toMatchObject(used())
})
