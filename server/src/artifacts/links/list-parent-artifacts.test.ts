import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { linking, ROOTS, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld({ seedOnce: true })
let trees: MadeTracker
let branches: MadeTracker
let roots: MadeTracker
let twigs: MadeTracker
const { plant } = linking(api, () => trees)
const CHILD = '_is_child'
const idsIn = (list: { id: number }[]) => list.map(({ id }) => id)

beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
  branches = await makeTestTracker(api, {
    ...TREES,
    label: 'Branches',
    item_name: 'branch',
    hierarchy: { parent: 'tree' },
  })
  roots = await makeTestTracker(api, ROOTS)
  twigs = await makeTestTracker(api, { ...TREES, label: 'Twigs', item_name: 'twig', hierarchy: { parent: 'root' } })
})

describe('GET /trackers/{id}/parent_artifacts', () => {
  test('lists the open artifacts of the parent tracker, newest first', async () => {
    const open = { summary: 'Old oak', status: 'Open' }
    const [first, second] = [await makeTestArtifact(api, trees, open), await makeTestArtifact(api, trees, open)]
    await makeTestArtifact(api, trees, { summary: 'Felled', status: 'Done' })
    await makeTestArtifact(api, trees, { summary: 'Nobody knows' })
    const { json, headers } = await api.get(`/trackers/${branches.id}/parent_artifacts`)

    expect(idsIn(json)).toEqual([second, first])
    expect(headers['x-pagination-size']).toBe('2')
    expect(json[1]).toEqual({
      id: first,
      title: 'Old oak',
      xref: `tree #${first}`,
      uri: `artifacts/${first}`,
      html_url: `/artifacts/${first}`,
      tracker: expect.objectContaining({ id: trees.id, label: 'Trees', cannot_create_reasons: null }),
      full_status: { value: 'Open', color: null },
    })
    expect(idsIn((await api.get(`/trackers/${branches.id}/parent_artifacts?limit=1&offset=1`)).json)).toEqual([first])
  })

  test('is empty without a parent tracker that the caller sees', async () => {
    await makeTestArtifact(api, roots, { summary: 'Deep', status: 'Open' })
    const empty = { status: 200, json: [], headers: { 'x-pagination-size': '0' } }

    expect(await api.get(`/trackers/${trees.id}/parent_artifacts`)).toMatchObject(empty)
    expect(await api.get(`/trackers/${twigs.id}/parent_artifacts`, { as: TOM })).toMatchObject(empty)
    expect((await api.get(`/trackers/${twigs.id}/parent_artifacts`, { as: MARA })).json).toHaveLength(1)
  })

  test('is refused to callers who do not see the tracker', async () => {
    expect(await api.get(`/trackers/${roots.id}/parent_artifacts`, { as: TOM })).toMatchObject(
      refused(404, 'not_found'),
    )
  })
})

describe('GET /trackers/{id}/used_artifact_links', () => {
  test('lists the types of outgoing links whose both ends the caller sees', async () => {
    const root = await makeTestArtifact(api, roots, { summary: 'Root' })
    await plant({ links: [{ id: root, type: CHILD }] })
    const path = `/trackers/${trees.id}/used_artifact_links`

    expect((await api.get(path, { as: TOM })).json).toEqual([])
    expect((await api.get(path, { as: MARA })).json).toEqual([{ shortname: CHILD, forward_label: 'Child' }])

    await plant({ links: [{ id: await plant(), type: '' }] })
    const { json, headers } = await api.get(path, { as: TOM })
    expect(json).toEqual([{ shortname: '', forward_label: '' }])
    expect(headers['x-pagination-size']).toBe('1')
  })
})
