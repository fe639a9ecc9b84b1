import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, TOM, UMA, type TestPerson } from '../../test/fixtures/people.ts'
import { BUGS, LOST_BUGS, ORCHARD, SAFE } from '../../test/fixtures/seed-ids.ts'
import { audited } from '../../test/harness/audited.ts'
import { recordedEvents } from '../../test/harness/recorded-events.ts'
import { refused } from '../../test/harness/refused.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { changedTables, tableDigests } from '../../test/harness/table-digests.ts'

const { api, context } = await startWorld()
let plums: MadeTracker
const PLUMS = {
  label: 'Plums',
  item_name: 'plum',
  permissions: { full: ['@members'], admin: ['leads'] },
  elements: [{ name: 'summary', type: 'string', label: 'Summary' }],
}
beforeEach(async () => {
  plums = await makeTestTracker(api, PLUMS)
})
const patch = (
  body: object,
  as: TestPerson | undefined = UMA,
  more: { query?: string; headers?: Record<string, string> } = {},
) => api.patch(`/trackers/${plums.id}${more.query ?? ''}`, { ...(as && { as }), body, ...more })

describe('PATCH /trackers/{id}', () => {
  test('renames a tracker, and changes its colour, description and parent', async () => {
    const change = { label: ' Mirabelles ', item_name: 'mirabelle', description: 'Small.', color_name: 'Fiesta_Red' }
    const answer = await patch({ ...change, parent: { id: BUGS } })
    expect(answer).toMatchObject({
      status: 200,
      json: { label: 'Mirabelles', item_name: 'mirabelle', description: 'Small.', color_name: 'fiesta-red' },
    })
    expect(answer.json.parent).toMatchObject({ id: BUGS })
    expect(answer.headers.etag).toBe((await api.get(`/trackers/${plums.id}`, { as: UMA })).headers.etag)
    const id = await makeTestArtifact(api, plums, { summary: 'One' })
    expect((await api.get(`/artifacts/${id}`, { as: UMA })).json.xref).toBe(`mirabelle #${id}`)
    expect((await patch({ parent: null })).json.parent).toBeNull()
    expect((await api.get(`/trackers/${plums.id}`, { as: TOM })).json.label).toBe('Mirabelles')
    expect((await audited(context, 'tracker.definition')).slice(0, 1)).toMatchObject([
      {
        actor_id: UMA.id,
        object: `trackers/${plums.id}`,
        project_id: ORCHARD,
        before: { label: 'Plums', item_name: 'plum' },
        after: { label: 'Mirabelles', item_name: 'mirabelle', hierarchy: { parent: 'bug' } },
      },
    ])
    const [event] = await recordedEvents(context, 'tracker.changed')
    expect(event).toMatchObject({ object: `trackers/${plums.id}` })
  })

  test('changes the workflow in the same version, and nothing if nothing differs', async () => {
    const { json: before } = await api.get(`/trackers/${plums.id}`, { as: MARA })
    const same = await patch({ label: 'Plums', color_name: before.color_name, parent: null })
    expect(same.status).toBe(200)
    expect(await audited(context, 'tracker.definition')).toEqual([])
    const workflow = { set_transitions_rules: { is_used: true } }
    expect(await patch({ label: 'Other', workflow })).toMatchObject(refused(400, 'rule_violated'))
    expect((await api.get(`/trackers/${plums.id}`, { as: MARA })).json.label).toBe('Plums')
  })

  test('as a dry run reports the change and writes nothing', async () => {
    const before = await tableDigests(context.db)
    const { status, json } = await patch({ label: 'Mirabelles' }, MARA, { query: '?dry_run=true' })
    expect(status).toBe(200)
    expect(json.dry_run.changes).toMatchObject([
      {
        object: `trackers/${plums.id}`,
        op: 'update',
        fields: [{ name: 'label', before: 'Plums', after: 'Mirabelles' }],
      },
    ])
    expect(changedTables(before, await tableDigests(context.db))).toEqual([])
  })

  test.each([
    { body: { label: ' ' }, reason: 'parameter_out_of_range' },
    { body: { item_name: 'a plum' }, reason: 'name_invalid' },
    { body: { item_name: 'BUG' }, reason: 'name_taken' },
    { body: { color_name: 'pink' }, reason: 'parameter_not_allowed' },
    { body: { parent: { id: 999_999 } }, reason: 'reference_unknown' },
    { body: { parent: { id: SAFE } }, reason: 'reference_unknown' },
    { body: { parent: { id: LOST_BUGS } }, reason: 'reference_unknown' },
    { body: {}, reason: 'parameter_required' },
  ])('refuses $body with $reason', async ({ body, reason }) => {
    expect(await patch(body)).toMatchObject(refused(400, reason))
  })

  test('refuses to be its own ancestor', async () => {
    const child = await makeTestTracker(api, { ...PLUMS, item_name: 'stone', hierarchy: { parent: 'plum' } })
    for (const id of [plums.id, child.id])
      expect(await patch({ parent: { id } })).toMatchObject(refused(400, 'parameter_conflict', { path: 'parent.id' }))
  })

  test('two trackers cannot become parents of each other at the same time', async () => {
    const other = await makeTestTracker(api, { ...PLUMS, item_name: 'other' })
    const answers = await Promise.all([
      patch({ parent: { id: other.id } }),
      api.patch(`/trackers/${other.id}`, { as: UMA, body: { parent: { id: plums.id } } }),
    ])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 400])
  })

  test('needs an administrator of the tracker, and a current version', async () => {
    for (const as of [MARA, ADA, UMA]) expect((await patch({ label: `By ${as.login}` }, as)).status).toBe(200)
    expect(await patch({ label: 'By tom' }, TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect(await patch({ label: 'By olga' }, OLGA)).toMatchObject(refused(404, 'not_found'))
    const anonymous = await api.patch(`/trackers/${plums.id}`, { body: { label: 'x' } })
    expect(anonymous).toMatchObject(refused(401, 'authentication_required'))
    const stale = { headers: { 'if-match': '"stale"' } }
    expect(await patch({ label: 'Late' }, UMA, stale)).toMatchObject(refused(412, 'version_mismatch'))
    expect(await api.delete(`/trackers/${plums.id}`, { as: MARA, ...stale })).toMatchObject(
      refused(412, 'version_mismatch'),
    )
  })
})

test('a dry run of the deletion and of the restoration tells what they concern, and writes nothing', async () => {
  await makeTestArtifact(api, plums, { summary: 'One' })
  const before = await tableDigests(context.db)
  const gone = await api.delete(`/trackers/${plums.id}?dry_run=true`, { as: MARA })
  expect(gone.json.dry_run.changes).toMatchObject([{ object: `trackers/${plums.id}`, op: 'delete' }])
  expect(JSON.stringify(gone.json.dry_run.changes)).toContain('"artifacts"')
  expect(changedTables(before, await tableDigests(context.db))).toEqual([])
  await api.delete(`/trackers/${plums.id}`, { as: MARA })
  const deleted = await tableDigests(context.db)
  expect((await api.post(`/trackers/${plums.id}/restore?dry_run=true`, { as: MARA })).status).toBe(200)
  expect(changedTables(deleted, await tableDigests(context.db))).toEqual([])
  expect((await api.post(`/trackers/${plums.id}/restore`, { as: MARA })).status).toBe(200)
})
