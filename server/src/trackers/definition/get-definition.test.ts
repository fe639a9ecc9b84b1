import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER, LOST_BUGS, MARSH_BUGS, ORCHARD, SAFE } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld()

describe('GET /trackers/{id}/definition', () => {
  test.each([ADA, MARA, UMA, GUS])(
    'returns the whole tracker without ids to $login, who administers it',
    async (person) => {
      const { status, headers, json } = await api.get(`/trackers/${BUGS}/definition`, { as: person })

      expect(status).toBe(200)
      expect(headers.etag).toBeDefined()
      expect(json).toMatchObject({
        format: 'waypost-tracker/1',
        label: 'Bugs',
        item_name: 'bug',
        hierarchy: { parent: null },
        permissions: { full: ['@anonymous'], admin: ['leads'], submitted_by_user: [] },
        semantics: { title: 'summary', status: { field: 'status', open: ['open'] }, progress: null },
        rules: { dates: [], lists: [] },
        triggers: [],
      })
      expect(json.elements[0].content.find(({ name }: { name: string }) => name === 'status')).toEqual({
        name: 'status',
        type: 'sb',
        label: 'Status',
        description: '',
        required: false,
        notifications: false,
        properties: {},
        default: null,
        bind: {
          type: 'static',
          alphabetical: false,
          values: [
            { key: 'open', label: 'Open', description: '', color: 'fiesta-red', hidden: false },
            { key: 'fixed', label: 'Fixed', description: '', color: 'neon-green', hidden: false },
            { key: 'rotten', label: 'Rotten', description: '', color: null, hidden: true },
          ],
          default: ['open'],
        },
        permissions: { read: ['@anonymous'], submit: ['@registered'], update: ['@members'] },
        shared_from: null,
        content: null,
      })
    },
  )

  test.each([
    { who: undefined, id: BUGS, status: 401, reason: 'authentication_required' },
    { who: TOM, id: BUGS, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: BUGS, status: 403, reason: 'permission_denied' },
    { who: UMA, id: LEDGER, status: 403, reason: 'permission_denied' },
    { who: TOM, id: LEDGER, status: 404, reason: 'not_found' },
    { who: MARA, id: SAFE, status: 404, reason: 'not_found' },
    { who: MARA, id: LOST_BUGS, status: 404, reason: 'not_found' },
    { who: TOM, id: MARSH_BUGS, status: 404, reason: 'project_suspended' },
    { who: OLGA, id: MARSH_BUGS, status: 404, reason: 'not_found' },
    { who: ADA, id: 999_999, status: 404, reason: 'not_found' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const { json, status: answered } = await api.get(`/trackers/${id}/definition`, who && { as: who })

    expect(answered).toBe(status)
    expect(json.error.reason).toBe(reason)
  })

  test('documents the required permission', async () => {
    const { json } = await api.get(`/trackers/${BUGS}/definition`, { as: TOM })
    expect(json.error.details).toEqual({ who_may: ['tracker_admin', 'project_admin'], cause: 'not_tracker_admin' })
  })

  test('represents invisible references by id, and accepts them unchanged', async () => {
    const { json: task } = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: {
        label: 'Pages',
        item_name: 'page',
        hierarchy: { parent: 'secret' },
        permissions: { full: ['@registered'], admin: ['@members'] },
        elements: [
          { name: 'state', shared_from: 'secret.state', label: 'State' },
          { name: 'mood', type: 'sb', label: 'Mood', bind: { type: 'static', values: [{ label: 'Bad' }] } },
        ],
        triggers: [
          {
            target: { field: 'mood', value: 'bad' },
            condition: 'all_of',
            when: [{ tracker: 'secret', field: 'state', value: 'closed' }],
          },
        ],
      },
    })
    const { json, headers } = await api.get(`/trackers/${task.id}/definition`, { as: TOM })
    const put = (body: unknown) => api.put(`/trackers/${task.id}/definition`, { as: TOM, body })

    expect(json.hierarchy.parent).toBe(`@${LEDGER}`)
    expect(json.elements[0]).toMatchObject({
      type: 'sb',
      shared_from: expect.stringMatching(/^@7003\.@\d+$/),
      bind: null,
    })
    expect(json.triggers[0].when[0]).toMatchObject({ tracker: `@${LEDGER}`, value: expect.stringMatching(/^@\d+$/) })
    const again = await put(json)
    expect(again.status).toBe(200)
    expect(again.headers.etag).toBe(headers.etag)
    expect((await put({ ...json, hierarchy: { parent: `@${SAFE}` } })).json.error.details.all).toMatchObject([
      { path: '/hierarchy/parent', reason: 'reference_unknown' },
    ])
  })

  test('answers 304 for a matching ETag, and XML on request', async () => {
    const { headers } = await api.get(`/trackers/${BUGS}/definition`, { as: MARA })
    const etag = String(headers.etag)

    expect(
      (await api.get(`/trackers/${BUGS}/definition`, { as: MARA, headers: { 'if-none-match': etag } })).status,
    ).toBe(304)
    const { text } = await api.get(`/trackers/${BUGS}/definition.xml`, { as: MARA })
    expect(text).toContain('<item_name>bug</item_name>')
  })
})
