import { expect, test } from 'vitest'
import { makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
const LEDGER = {
  label: 'Ledger',
  item_name: 'ledger',
  settings: { private_comments: true, allow_move: true },
  permissions: { full: ['@anonymous'] },
  elements: [{ name: 'summary', type: 'string', label: 'Summary' }],
  semantics: { title: 'summary' },
}

test('R14 a comment for members of one project is not for members of the project that its artifact moves to', async () => {
  const here = await makeTestTracker(api, LEDGER)
  const project = { shortname: 'meadow', label: 'Meadow', is_public: false, template_id: 100 }
  const { id: meadow } = (await api.post('/projects', { as: OLGA, body: project })).json
  const body = { format: 'waypost-tracker/1', ...LEDGER }
  const there = await api.post(`/projects/${meadow}/trackers`, { as: OLGA, body })
  expect(there.status).toBe(201)
  const members = { user_references: [{ id: OLGA.id }, { id: GUS.id }] }
  expect((await api.put(`/user_groups/${meadow}_3/users`, { as: OLGA, body: members })).status).toBe(200)
  const id = await makeTestArtifact(api, here, { summary: 'Crates' })
  const comment = { body: 'SEALED-4711', ugroups: [`${ORCHARD}_3`] }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, body: { comment } })).status).toBe(200)
  const move = { tracker_id: there.json.id }
  expect((await api.patch(`/artifacts/${id}`, { as: ADA, body: { move } })).status).toBe(200)

  const comments = async (as: TestPerson) => (await api.get(`/artifacts/${id}/changesets?fields=comments`, { as })).text
  expect((await api.get(`/artifacts/${id}`, { as: GUS })).status).toBe(200)
  expect(await comments(GUS)).not.toContain('SEALED-4711')
  expect(await comments(OLGA)).toContain('SEALED-4711')
})
