import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../test/fixtures/people.ts'

const { api } = await startWorld()

describe('GET /audit as a file', () => {
  test('has the same entries, one per line', async () => {
    await api.patch('/settings', { as: ADA, body: { key_prefix: 'way' } })
    const { json } = await api.get('/audit?action=settings.*', { as: ADA })
    const { status, text, headers } = await api.get('/audit.ndjson?action=settings.*', { as: ADA })

    expect(status).toBe(200)
    expect(headers['x-pagination-size']).toBe('1')
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(json)
  })

  test('names users by login in CSV', async () => {
    await api.patch('/settings', { as: ADA, body: { key_prefix: 'way' } })
    const { text } = await api.get('/audit?action=settings.*', { as: ADA, headers: { accept: 'text/csv' } })
    const [head, row = ''] = text.split('\r\n')

    expect(head).toBe('id,on,actor,credential,address,action,object,project,outcome,before,after,reason,request_id')
    expect(row).toContain(',ada,')
    expect(row).toContain('"{""key_prefix"":""way""}"')
  })

  test('is audited like every read of the log', async () => {
    await api.get('/audit.csv', { as: ADA })

    expect((await api.get('/audit?action=audit.read', { as: ADA })).json).toMatchObject([
      { actor: { username: 'ada' } },
    ])
  })

  test('refuses other callers', async () => {
    expect((await api.get('/audit.csv')).status).toBe(401)
    expect((await api.get('/audit.ndjson', { as: OLGA })).status).toBe(403)
  })
})
