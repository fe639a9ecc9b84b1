import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, PIA, TOM } from '../../../test/fixtures/people.ts'

const { api } = await startWorld()

const read = (key: string, as = TOM) => api.get(`/users/self/preferences?key=${key}`, { as })
const set = (key: string, value: unknown) =>
  api.patch(`/users/${TOM.id}/preferences`, { as: TOM, body: { key, value } })

describe('preferences', () => {
  test('are set, read and deleted', async () => {
    expect((await read('colour')).json).toEqual({ key: 'colour', value: false })

    const answer = await set('colour', 'red')
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await read('colour')).json).toEqual({ key: 'colour', value: 'red' })
    await set('colour', '')
    expect((await read('colour')).json).toEqual({ key: 'colour', value: '' })

    for (let time = 0; time < 2; time++) {
      const removed = await api.delete('/users/self/preferences?key=colour', { as: TOM })
      expect([removed.status, removed.text]).toEqual([200, ''])
    }
    expect((await read('colour')).json.value).toBe(false)
  })

  test('are separate per account', async () => {
    await set('colour', 'red')

    expect((await read('colour', MARA)).json.value).toBe(false)
  })

  test.each([
    { as: undefined, id: TOM.id, status: 401 },
    { as: undefined, id: 'self', status: 401 },
    { as: MARA, id: TOM.id, status: 403 },
    { as: ADA, id: TOM.id, status: 403 },
    { as: TOM, id: PIA.id, status: 404 },
    { as: TOM, id: 1999, status: 404 },
    { as: TOM, id: 'x', status: 400 },
  ])('refuse $as.login at $id with $status', async ({ as, id, status }) => {
    const options = as ? { as } : {}
    const path = `/users/${id}/preferences`

    expect((await api.get(`${path}?key=colour`, options)).status).toBe(status)
    expect((await api.patch(path, { ...options, body: { key: 'colour', value: 'red' } })).status).toBe(status)
    expect((await api.delete(`${path}?key=colour`, options)).status).toBe(status)
  })

  test('require a key and a text', async () => {
    expect((await api.get('/users/self/preferences', { as: TOM })).json.error.reason).toBe('parameter_required')
    expect((await api.delete('/users/self/preferences?key=', { as: TOM })).json.error.reason).toBe('parameter_required')
    expect((await set('', 'red')).json.error.reason).toBe('parameter_out_of_range')
    expect((await set('colour', 5)).json.error.reason).toBe('parameter_invalid')
    expect((await set('colour', 'x'.repeat(65_537))).json.error.reason).toBe('parameter_out_of_range')
    expect((await api.patch('/users/self/preferences', { as: TOM, body: { key: 'colour' } })).json.error).toMatchObject(
      {
        reason: 'parameter_required',
        details: { path: 'value' },
      },
    )
  })

  test('a dry run sets nothing', async () => {
    await set('colour', 'red')
    const body = { key: 'colour', value: 'blue' }
    const { json } = await api.patch('/users/self/preferences?dry_run=true', { as: TOM, body })

    expect(json.dry_run).toMatchObject({
      status: 200,
      would_answer: null,
      changes: [{ object: `users/${TOM.id}/preferences`, fields: [{ name: 'colour', before: 'red', after: 'blue' }] }],
    })
    expect((await read('colour')).json.value).toBe('red')
  })

  test('accept and return XML', async () => {
    const headers = { 'content-type': 'application/xml' }
    const body = '<request><key>size</key><value>007</value></request>'

    expect((await api.patch('/users/self/preferences', { as: TOM, headers, body })).status).toBe(200)
    expect((await api.get('/users/self/preferences.xml?key=size', { as: TOM })).text).toContain(
      '<response><key>size</key><value>007</value></response>',
    )
    expect((await api.get('/users/self/preferences.xml?key=none', { as: TOM })).text).toContain('<value>false</value>')
  })
})
