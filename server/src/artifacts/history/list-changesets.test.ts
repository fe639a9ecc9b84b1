import { beforeAll, describe, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, clock, startAnother } = await startWorld({ seedOnce: true })
const another = await startAnother()
let tracker: MadeTracker
let id: number
let secret: number

interface ChangesetJson {
  readonly version: number
  readonly last_comment: object
  readonly values: readonly { readonly field_id: number }[]
}

const list = (query = '', as?: TestPerson) => api.get(`/artifacts/${id}/changesets?${query}`, as && { as })
const versions = ({ json }: { json: readonly ChangesetJson[] }) => json.map(({ version }) => version)
async function put(values_by_field: object, comment?: object): Promise<void> {
  clock.advance(60_000)
  const body = { values_by_field, ...(comment && { comment }) }
  expect((await api.put(`/artifacts/${id}`, { as: MARA, body })).status).toBe(200)
}

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  secret = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: { value: 'Secret' } })
  id = await makeTestArtifact(api, tracker, { summary: { value: 'Engine stops' }, assigned_to: { value: ['tom'] } })
  await put({ status: 'Open', assigned_to: ['uma'] }, { body: 'Seen *twice*, see art #1', format: 'commonmark' }) // 2
  await put({ budget: 'a lot' }) // 3: a field that only administrators read.
  await put({ links: { links: [{ id: secret }] } }) // 4: only administrators see the other end.
  await put({ points: 5 }, { body: 'Only for those who lead', format: 'text', ugroups: [String(LEADS)] }) // 5
  await put({ budget: 'more' }, { body: 'Hush', format: 'text', ugroups: [String(LEADS)] }) // 6
  await put({ links: { links: [] } }, { body: '<b>Gone</b>', format: 'html' }) // 7
})

describe('GET /artifacts/{id}/changesets', () => {
  test('shows author and changes, with the values of that time', async () => {
    const { status, json } = await list('', TOM)

    expect(status).toBe(200)
    expect(json[0]).toMatchObject({
      version: 1,
      submitted_by: MARA.id,
      submitted_by_details: { id: MARA.id, username: 'mara' },
      submitted_on: '2026-03-01T09:30:00+00:00',
      email: null,
      last_comment: { body: '', post_processed_body: '', format: 'text', ugroups: null },
      last_modified_by: { id: MARA.id },
      last_modified_date: '2026-03-01T09:30:00+00:00',
    })
    expect(json[0]).not.toHaveProperty('changes')
    expect(valueOf(json[0], 'assigned_to')).toMatchObject({ bind_value_ids: [TOM.id], values: [{ username: 'tom' }] })
    expect(valueOf(json[0], 'status')).toBeUndefined()
    expect(valueOf(json[1], 'assigned_to')).toMatchObject({ bind_value_ids: [UMA.id], values: [{ username: 'uma' }] })
    expect(valueOf(json[1], 'summary')).toMatchObject({ value: 'Engine stops' })
    // Computed values are not stored per version; only the last version shows them.
    expect(valueOf(json[1], 'last_update')).toBeUndefined()
    expect(valueOf(json.at(-1), 'last_update')).toMatchObject({ value: expect.any(String) })
  })

  test.each([
    { who: MARA, seen: [1, 2, 3, 4, 5, 6, 7] },
    { who: TOM, seen: [1, 2, 5, 7] },
    { who: UMA, seen: [1, 2, 5, 6, 7] }, // She is in the leads group, which may read the comment of version 6.
    { who: undefined, seen: [1, 2, 5, 7] },
  ])('omits versions that show nothing to $who.login, and counts the rest', async ({ who, seen }) => {
    const answer = await list('', who)

    expect(versions(answer)).toEqual(seen)
    expect(answer.headers['x-pagination-size']).toBe(String(seen.length))
  })

  test('pages through the visible versions, in either direction, by offset and by cursor', async () => {
    expect(versions(await list('limit=2', TOM))).toEqual([1, 2])
    expect(versions(await list('limit=2&offset=2', TOM))).toEqual([5, 7])
    expect(versions(await list('limit=2&offset=9', TOM))).toEqual([])
    const last = await list('limit=3&order=desc', TOM)
    expect(versions(last)).toEqual([7, 5, 2])
    const next = /<([^>]+)>; rel="next"/.exec(String(last.headers['link']))?.[1] ?? ''
    const rest = await api.get(next, { as: TOM })
    expect(versions(rest)).toEqual([1])
    expect(rest.headers['x-pagination-size']).toBe('4')
    expect(versions(await list('order=desc&offset=3', TOM))).toEqual([1])
  })

  test('shows comments in all three forms, and restricted ones as empty', async () => {
    const { json } = await list('', TOM)

    expect(json[1].last_comment).toEqual({
      body: '<p>Seen <em>twice</em>, see art #1</p>',
      post_processed_body: `<p>Seen <em>twice</em>, see <a href="/goto?key=art&amp;val=1&amp;group_id=${ORCHARD}" class="cross-reference">art #1</a></p>`,
      format: 'html',
      commonmark: 'Seen *twice*, see art #1',
      ugroups: null,
    })
    expect(json[2].last_comment).toEqual({ body: '', post_processed_body: '', format: 'text', ugroups: null })
    expect(json[3].last_comment).toMatchObject({
      body: '<b>Gone</b>',
      post_processed_body: '<b>Gone</b>',
      format: 'html',
    })
  })

  test.each([UMA, MARA])('shows $login a private comment with its groups', async (person) => {
    const { json } = await list('fields=comments', person)

    expect(versions({ json })).toEqual([2, 5, 6, 7])
    expect(json[1].last_comment).toMatchObject({
      body: 'Only for those who lead',
      ugroups: [{ id: String(LEADS), short_name: 'leads' }],
    })
  })

  test('lists comments only, without values', async () => {
    const answer = await list('fields=comments', TOM)

    expect(versions(answer)).toEqual([2, 7])
    expect(answer.headers['x-pagination-size']).toBe('2')
    expect(answer.json[0].values).toEqual([])
  })

  test('shows changes of readable fields', async () => {
    const { json } = await list('diff=true', TOM)
    const status = tracker.field('status')

    expect(fieldsOf(json[1])).toEqual([status, tracker.field('assigned_to')])
    expect(json[1].changes[0]).toMatchObject({ before: null, after: { values: [{ label: 'Open' }] } })
    expect(json[1].changes[1]).toMatchObject({
      before: { bind_value_ids: [TOM.id] },
      after: { bind_value_ids: [UMA.id] },
    })
    expect(json[2].changes).toEqual([{ field_id: tracker.field('points'), before: null, after: 5 }])
    expect(json[3].changes).toEqual([]) // A link to an artifact that the viewer does not see.
    const all = await list('diff=true', MARA)
    expect(fieldsOf(all.json[6])).toEqual([tracker.field('links')])
    expect(all.json[6].changes[0]).toMatchObject({ before: { links: [{ id: secret }] }, after: { links: [] } })
  })

  test.each([
    { query: 'fields=some', reason: 'parameter_not_allowed' },
    { query: 'order=up', reason: 'parameter_not_allowed' },
    { query: 'limit=51', reason: 'parameter_out_of_range' },
    { query: 'limit=0', reason: 'parameter_out_of_range' },
    { query: 'diff=maybe', reason: 'parameter_invalid' },
  ])('refuses $query', async ({ query, reason }) => {
    expect(await list(query, TOM)).toMatchObject(refused(400, reason))
  })

  test('hides the history of a hidden artifact', async () => {
    expect(await api.get(`/artifacts/${secret}/changesets`, { as: OLGA })).toMatchObject(refused(404, 'not_found'))
    expect(await api.get(`/artifacts/${secret}/changesets`)).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.get('/artifacts/999999/changesets', { as: MARA })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('GET /artifacts/{id}/changesets/{changeset_id}', () => {
  const ids = async (as: TestPerson): Promise<number[]> =>
    (await list('', as)).json.map((each: { id: number }) => each.id)

  test('shows one version like the list does', async () => {
    const [, second] = await ids(TOM)
    const answer = await api.get(`/artifacts/${id}/changesets/${second}?diff=true`, { as: TOM })

    expect(answer.json).toEqual((await list('diff=true', TOM)).json[1])
  })

  test('does not show an empty version, nor one of another artifact', async () => {
    const [, , third] = await ids(MARA)
    const other = await makeTestArtifact(api, tracker, { summary: { value: 'Another' } })

    expect((await api.get(`/artifacts/${id}/changesets/${third}`, { as: MARA })).status).toBe(200)
    expect(await api.get(`/artifacts/${id}/changesets/${third}`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
    expect(await api.get(`/artifacts/${other}/changesets/${third}`, { as: MARA })).toMatchObject(
      refused(404, 'not_found'),
    )
  })
})

describe('a read permission that another server withdraws', () => {
  test('removes its values and versions from the next response', async () => {
    const path = `/trackers/${tracker.id}/definition`
    const { json: definition } = await another.api.get(path, { as: MARA })
    const permissions = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
    const elements = definition.elements.map((field: { name: string }) =>
      field.name === 'points' ? { ...field, permissions } : field,
    )
    expect(versions(await list('', TOM))).toEqual([1, 2, 5, 7])
    const change = await another.api.put(path, { as: MARA, body: { ...definition, elements } })
    expect(change.status).toBe(200)

    const after = await list('', TOM)
    expect(versions(after)).toEqual([1, 2, 7])
    expect(after.headers['x-pagination-size']).toBe('3')
    expect(valueOf(after.json[2], 'points')).toBeUndefined()
  })
})

function valueOf({ values }: ChangesetJson, name: string): unknown {
  return values.find(({ field_id }) => field_id === tracker.field(name))
}

function fieldsOf({ changes }: { changes: readonly { field_id: number }[] }): number[] {
  return changes.map(({ field_id }) => field_id)
}
