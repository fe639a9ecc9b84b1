import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeIgnoredInput } from '../../src/ignored-input.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { ADA, MARA, TOM } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { Lines } from '../harness/client.ts'
import { refused } from '../harness/refused.ts'
import { startWorld } from '../harness/start-world.ts'

/** Exceptions for existing clients: accepted without effect, and named in a header. */
const { api } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let id: number
let other: number

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  id = await makeTestArtifact(api, tracker, { summary: 'Crates', points: 3 })
  other = await makeTestArtifact(api, tracker, { summary: 'Another' })
})

const put = (body: object, query = '') => api.put(`/artifacts/${id}${query}`, { as: MARA, body })
const ignoredOf = ({ headers }: { headers: object }) => new Map(Object.entries(headers)).get('x-waypost-ignored')

describe('a parameter', () => {
  test.each([
    ['/projects?_=1700000000', '_'],
    ['/projects?=', '='],
    [`/projects/${ORCHARD}?offset=100`, 'offset'],
    [`/projects/${ORCHARD}/user_groups?limit=10&offset=0`, 'limit, offset'],
    ['/users/self/membership?scope=project&format=full&limit=50&offset=0', 'limit, offset'],
    [`/projects/${ORCHARD}/milestones?order=asc&query={}&limit=10`, 'order, query'],
  ])('is ignored: %s', async (path, names) => {
    const answer = await api.get(path, { as: ADA })
    expect([answer.status, ignoredOf(answer)]).toEqual([200, names])
  })

  test('is not named if everything was read, and not repeated in links', async () => {
    expect(ignoredOf(await api.get('/projects?limit=5', { as: ADA }))).toBeUndefined()
    expect((await api.get('/projects?limit=1&_=5', { as: ADA })).headers.link).not.toContain('_=')
  })

  test('without a name, but with a value, is refused', async () => {
    expect(await api.get('/projects?=5', { as: ADA })).toMatchObject(refused(400, 'parameter_unknown'))
  })

  test('is named in refusals as well', async () => {
    const answer = await put({ values: [{ field_id: 999_999, value: 'x' }] }, '?_=1')
    expect([answer.status, ignoredOf(answer)]).toEqual([400, '_'])
  })
})

describe('a member', () => {
  test('`tracker` of an update has no effect', async () => {
    const answer = await put({ tracker: { id: 999_999 }, comment: { body: 'Hello', format: 'text' } })
    expect([answer.status, ignoredOf(answer)]).toEqual([200, 'tracker'])
  })

  test('of a value that was read can be sent back, with one that a client adds', async () => {
    const { json } = await api.get(`/artifacts/${id}`, { as: MARA })
    const values = json.values.map((item: object) => ({ ...item, uri: 'x' }))
    const answer = await put({ values })

    expect(answer.status).toBe(200)
    const names = String(ignoredOf(answer)).split(', ')
    expect(names).toEqual(expect.arrayContaining(['values[].label', 'values[].type', 'values[].uri']))
    expect(names).not.toContain('values[].value')
  })

  test('of a link that was read can be sent back', async () => {
    const field_id = tracker.field('links')
    const answer = await put({ values: [{ field_id, links: [{ id: other, type: '', uri: `artifacts/${other}` }] }] })
    expect([answer.status, ignoredOf(answer)]).toEqual([200, 'values[].links[].uri'])
    await put({ values: [{ field_id, links: [] }] })
  })

  test.each([
    [{ values: [{ field_id: 1, vlaue: 'x' }] }, 'values[0].vlaue', 'value'],
    [{ values: [{ field_id: 1, value: { content: 'x', fromat: 'html' } }] }, 'values[0].value.fromat', 'format'],
    [{ values: [{ field_id: 1, links: [{ id: 5, tpye: '' }] }] }, 'values[0].links[0].tpye', 'type'],
    [{ values_by_field: { summary: { vlaue: 'x' } } }, 'values_by_field.summary.vlaue', 'value'],
    [{ values_by_field: { links: [{ id: 5, tpye: '' }] } }, 'values_by_field.links[0].tpye', 'type'],
    [{ comment: { body: 'x', fromat: 'html' } }, 'comment.fromat', 'format'],
    [{ coment: { body: 'x' } }, 'coment', 'comment'],
    [{ values: [{ field_id: 1, zzz: 1 }] }, 'values[0].zzz', undefined],
  ])('of %j is unknown: %s', async (body, path, nearest) => {
    const { status, json } = await put(body)
    const { reason, details, message } = json.error
    expect([status, reason, details.path, details.nearest]).toEqual([400, 'member_unknown', path, nearest])
    const suggestion = nearest === undefined ? '.' : `; did you mean "${nearest}"?`
    expect(message).toBe(`Bad Request: \`${path}\` is not known here${suggestion}`)
  })

  test('of a line is named in its answer', async () => {
    const line = { op: 'update', id, values: [{ field_id: tracker.field('points'), value: 3, label: 'points' }] }
    const { text } = await api.post(`/trackers/${tracker.id}/artifacts/bulk`, { as: MARA, body: new Lines([line]) })
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ status: 200, ignored: ['values[].label'] })
  })

  test('of a temporary file is ignored', async () => {
    const body = { name: 'a.txt', mimetype: 'text/plain', content: 'aGk=', offset: 1 }
    const answer = await api.post('/artifact_temporary_files?dry_run=true', { as: TOM, body })
    expect([answer.status, ignoredOf(answer)]).toEqual([200, 'offset'])
  })
})

test('docs/ignored-input.md is what the code says; `npm run docs` writes it', () => {
  expect(readFileSync('docs/ignored-input.md', 'utf8')).toBe(describeIgnoredInput())
})

test('a misspelt `dry_run` deletes nothing', async () => {
  const answer = await api.delete(`/artifacts/${id}?dryrun=true`, { as: MARA })
  expect(answer).toMatchObject(refused(400, 'parameter_unknown', { path: 'dryrun', nearest: 'dry_run' }))
  expect((await api.get(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
})

test('a misspelt scope makes no key', async () => {
  const answer = await api.post('/access_keys?dry_run=true', { as: ADA, body: { scope: ['read:rest'] } })
  expect(answer).toMatchObject(refused(400, 'member_unknown', { path: 'scope', nearest: 'scopes' }))
})
