import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM, VICTOR } from '../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api } = await startWorld()

describe('GET /projects/{id}/audit', () => {
  test('shows administrators the entries, newest first, without addresses and credentials', async () => {
    await api.put(`/projects/${ORCHARD}/banner`, {
      as: MARA,
      headers: { 'x-request-id': 'set' },
      body: { message: 'Hi' },
    })
    await api.delete(`/projects/${ORCHARD}/banner`, { as: ADA })
    await api.put(`/projects/${VAULT}/banner`, { as: VICTOR, body: { message: 'elsewhere' } })
    const { status, json, headers } = await api.get(`/projects/${ORCHARD}/audit`, { as: MARA })

    expect(status).toBe(200)
    expect(json).toHaveLength(2)
    expect(headers).toMatchObject({
      'x-pagination-size': '2',
      'x-pagination-limit': '50',
      'x-pagination-limit-max': '1000',
    })
    expect(json[0].actor).toEqual({ id: ADA.id, username: 'ada' })
    expect(json[1]).toEqual({
      id: json[1].id,
      on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      actor: { id: MARA.id, username: 'mara' },
      action: 'project.banner',
      object: `projects/${ORCHARD}/banner`,
      project: { id: ORCHARD, label: 'Orchard' },
      outcome: 'done',
      before: { message: null },
      after: { message: 'Hi' },
      reason: null,
      request_id: 'set',
    })
  })

  test('is recorded in the log', async () => {
    await api.get(`/projects/${ORCHARD}/audit`, { as: MARA })
    const { json } = await api.get(`/projects/${ORCHARD}/audit`, { as: ADA })
    expect(json).toMatchObject([{ action: 'audit.read', actor: { id: MARA.id }, object: `projects/${ORCHARD}/audit` }])
  })

  test('supports pagination that later rows do not shift', async () => {
    for (const message of ['one', 'two', 'three'])
      await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message } })
    const seen: unknown[] = []
    let address: string | undefined = `/projects/${ORCHARD}/audit?limit=1`
    while (address !== undefined) {
      const { json, headers } = await api.get(address, { as: MARA })
      seen.push(json[0].after.message)
      address = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1]
    }
    expect(seen).toEqual(['three', 'two', 'one'])
  })

  test.each([
    { who: TOM, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: undefined, id: ORCHARD, status: 401, reason: 'authentication_required' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: OLGA, id: 2999, status: 404, reason: 'not_found' },
    { who: MARA, id: MARSH, status: 404, reason: 'project_suspended' },
  ])('is refused to $who.login in $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.get(`/projects/${id}/audit`, who && { as: who })
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('also shows suspended projects to site administrators', async () => {
    expect((await api.get(`/projects/${MARSH}/audit`, { as: ADA })).status).toBe(200)
  })
})
