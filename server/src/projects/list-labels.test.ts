import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { OLGA, VICTOR } from '../../test/fixtures/people.ts'
import { ORCHARD, SECRET_LABEL, URGENT, VAULT } from '../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

describe('GET /projects/{id}/labels', () => {
  test('lists the labels of the project', async () => {
    const { json, headers } = await api.get(`/projects/${ORCHARD}/labels`)
    expect(json).toEqual({ labels: [{ id: URGENT, label: 'urgent', is_outline: false, color: 'fiesta-red' }] })
    expect(headers).toMatchObject({
      'x-pagination-size': '1',
      'x-pagination-limit': '50',
      'x-pagination-limit-max': '50',
    })
  })

  test('finds a substring of the label, ignoring case, with every character taken literally', async () => {
    await context.db
      .insertInto('label')
      .values(['Café', '100%', 'snake_case'].map((label) => ({ project_id: ORCHARD, label, color: 'deep-blue' })))
      .execute()
    const find = async (text: string) => {
      const { json, headers } = await api.get(`/projects/${ORCHARD}/labels?query=${encodeURIComponent(text)}`)
      expect(headers['x-pagination-size']).toBe(String(json.labels.length))
      return json.labels.map(({ label }: { label: string }) => label)
    }
    expect(await find('RGE')).toEqual(['urgent'])
    expect(await find('CAFÉ')).toEqual(['Café'])
    expect(await find('%')).toEqual(['100%'])
    expect(await find('_')).toEqual(['snake_case'])
    expect(await find('')).toHaveLength(4)
    expect(await find('nothing')).toEqual([])
  })

  test('supports pagination', async () => {
    await context.db.insertInto('label').values({ project_id: ORCHARD, label: 'later', color: 'deep-blue' }).execute()
    const first = await api.get(`/projects/${ORCHARD}/labels?limit=1`)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    expect(first.json.labels[0].label).toBe('urgent')
    expect((await api.get(next)).json.labels[0].label).toBe('later')
  })

  test.each(['limit=0', 'limit=51'])('refuses %s', async (parameters) => {
    expect((await api.get(`/projects/${ORCHARD}/labels?${parameters}`)).status).toBe(400)
  })

  test('is hidden with the project', async () => {
    expect((await api.get(`/projects/${VAULT}/labels`)).status).toBe(401)
    expect((await api.get(`/projects/${VAULT}/labels`, { as: OLGA })).status).toBe(404)
    expect((await api.get(`/projects/${VAULT}/labels`, { as: VICTOR })).json.labels).toMatchObject([
      { id: SECRET_LABEL },
    ])
  })

  test('supports XML', async () => {
    expect((await api.get(`/projects/${ORCHARD}/labels.xml`)).text).toContain('<labels><item><id>6001</id>')
  })
})
