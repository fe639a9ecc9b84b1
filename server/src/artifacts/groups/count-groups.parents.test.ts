import { beforeAll, expect, test } from 'vitest'
import { EVERY_FIELD, makeTestArtifact, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import type { AnyJson } from '../../../test/harness/expected-counts.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api } = await startWorld({ seedOnce: true })

let tracker: MadeTracker
let epic: number
let secret: number
beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  epic = await makeTestArtifact(api, tracker, { summary: 'Epic', effort: 1 })
  secret = await makeTestArtifact(api, tracker, { summary: 'Secret' })
  const children: object[] = [
    { summary: 'One', effort: 2, status: 'Open', links: { parent: { id: epic } } },
    { summary: 'Two', effort: 3, status: 'Open', links: { parent: { id: epic } } },
    { summary: 'Three', effort: 4, status: 'Closed', links: { parent: { id: secret } } },
  ]
  for (const values of children) await makeTestArtifact(api, tracker, values)
})

const ask = (query: string, as = TOM) => api.get(`/trackers/${tracker.id}/artifacts/groups?${query}`, { as })

test('artifacts are counted by their parent, those without one last', async () => {
  const { json } = await ask('by=@parent&sum=effort')
  const group = (id: number, label: string) => ({ id, xref: `delivery #${id}`, label })
  expect(json).toMatchObject({
    by: [{ name: '@parent', field_id: null, type: null, bucket: null }],
    total: 5,
    groups: [
      { key: [group(epic, 'Epic')], count: 2, sum: { effort: 5 } },
      { key: [group(secret, 'Secret')], count: 1, sum: { effort: 4 } },
      { key: [null], count: 2, sum: { effort: 1 } },
    ],
  })
})

test('the groups have the same artifacts as the conditions of the query language', async () => {
  const found = async (where: string) => {
    const query = `expert_query=${encodeURIComponent(where)}&fields=id`
    return (await api.get(`/trackers/${tracker.id}/artifacts?${query}`, { as: TOM })).json.length
  }
  const { json } = await ask('by=@parent')
  const counts = json.groups.map(({ key: [key], count }: AnyJson): [AnyJson, number] => [key, count])
  for (const [key, count] of counts)
    expect(await found(key ? `WITH PARENT ARTIFACT = ${key.id}` : 'WITHOUT PARENT')).toBe(count)
})

test('the parent combines with another key, with a filter, and with counts over time', async () => {
  const both = await ask('by=@parent,status')
  expect(both.json.groups.map(({ count }: AnyJson) => count)).toEqual([2, 1, 2])
  const open = await ask(`by=@parent&expert_query=${encodeURIComponent('status = "Open"')}`)
  expect(open.json).toMatchObject({ total: 2, groups: [{ key: [{ id: epic }], count: 2 }] })
  const { json } = await ask('by=@parent&over=day&from=2026-03-01&to=2026-03-01')
  expect(json.series.at(-1).groups[0]).toMatchObject({ key: [{ id: epic }], count: 2 })
})

test('a parent that the caller may not see is none', async () => {
  const seen_by = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
  const body = { values_by_field: { seen_by } }
  expect((await api.put(`/artifacts/${secret}`, { as: MARA, body })).status).toBe(200)
  const { json } = await ask('by=@parent')
  expect(json.groups.map(({ key: [key] }: AnyJson) => key?.id ?? null)).toEqual([epic, null])
  expect(json.groups.at(-1).count).toBe(2)
  expect(JSON.stringify(json)).not.toContain('Secret')
  expect((await ask('by=@parent', MARA)).json.groups).toHaveLength(3)
})

test('a parent has no buckets', async () => {
  expect(await ask('by=@parent:day')).toMatchObject(refused(400, 'query_operator', { cause: 'bucket' }))
})
