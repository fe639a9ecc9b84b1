import { beforeAll, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { linking, linksInAnswer, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })
let trees: MadeTracker
const { plant, linksOf, versionOf } = linking(api, () => trees)
const CHILD = '_is_child'
const put = (id: number, all_links: object[], more: object = {}) =>
  api.put(`/artifacts/${id}/links`, { as: TOM, body: { all_links }, ...more })

beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
})

test('PUT /artifacts/{id}/links replaces the links in both directions and answers with the artifact', async () => {
  const [child, parent] = [await plant(), await plant()]
  const id = await plant({ links: [{ id: parent }] })
  const answer = await put(id, [
    { id: child, type: CHILD },
    { id: parent, type: CHILD, direction: 'reverse' },
  ])

  expect(answer.status).toBe(200)
  expect(linksInAnswer(answer)).toEqual({
    forward: [{ id: child, type: CHILD }],
    reverse: [{ id: parent, type: CHILD }],
  })
  expect(answer.headers['etag']).toBeDefined()
  expect(await versionOf(id)).toBe(2)
})

test('an unchanged set of links adds no version', async () => {
  const child = await plant()
  const id = await plant({ links: [{ id: child, type: CHILD }] })

  expect((await put(id, [{ id: child, type: CHILD }])).status).toBe(200)
  expect(await versionOf(id)).toBe(1)
})

test('a refusal names the path in the request body', async () => {
  const [child, id] = [await plant(), await plant()]
  const sent = [
    { id: child, type: CHILD },
    { id: 999_999, type: '' },
  ]

  const answer = await put(id, sent)
  expect(answer).toMatchObject(
    refused(400, 'reference_unknown', { path: 'all_links[1].id', cause: 'link_target_unknown' }),
  )
  expect(answer.json.error.details.all).toMatchObject([{ path: 'all_links[1].id' }])
  expect(await put(id, [{ id: child }])).toMatchObject(refused(400, 'value_invalid', { cause: 'link_type_missing' }))
  expect(await linksOf(id)).toEqual({ forward: [], reverse: [] })
})

test('a stale tag is reported before anything else', async () => {
  const id = await plant()
  expect(await put(id, [{ id: 999_999, type: '' }], { headers: { 'if-match': '"old"' } })).toMatchObject(
    refused(412, 'version_mismatch'),
  )
})

test('an artifact without a link field cannot get links', async () => {
  const hidden = await makeTestTracker(api, HIDDEN_TRACKER)
  const id = await makeTestArtifact(api, hidden, { summary: 'Hush' })

  expect(await put(id, [], { as: MARA })).toMatchObject(
    refused(400, 'value_not_allowed', { cause: 'link_field_missing' }),
  )
})

test('a caller with read permission only is refused with the name of the field', async () => {
  const [child, id] = [await plant(), await plant()]
  expect(await put(id, [{ id: child, type: '' }], { as: OLGA })).toMatchObject(
    refused(400, 'field_not_writable', { cause: 'field_not_updatable' }),
  )
})

test('a dry run reports both ends', async () => {
  const every = await makeTestTracker(api, EVERY_FIELD)
  const [parent, id] = [await plant(), await makeTestArtifact(api, every, { summary: 'Crate' })]
  const body = { all_links: [{ id: parent, type: CHILD, direction: 'reverse' }] }
  const { json } = await api.put(`/artifacts/${id}/links?dry_run=true`, { as: TOM, body })

  expect(json.dry_run.changes.map(({ object }: { object: string }) => object)).toEqual([`artifacts/${parent}`])
})
