import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, TOM, UMA } from '../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'

/** Visibility of an artifact by id, in lists and as the end of a link: all three must agree. */
const { api, startAnother } = await startWorld()
const other = await startAnother()

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const everybody = { permissions: { read: ['@anonymous'], submit: ['@anonymous'], update: ['@anonymous'] } }

let made = 0
const trackerFor = (permissions: object) => {
  made++
  return makeTestTracker(api, {
    label: `Seen ${made}`,
    item_name: `seen_${made}`,
    permissions,
    elements: [
      field('summary', 'string', everybody),
      field('assigned_to', 'msb', { ...everybody, bind: { type: 'users', sources: ['@members', 'leads'] } }),
      field('seen_by', 'perm', everybody),
      field('links', 'art_link', everybody),
    ],
    semantics: { title: 'summary', contributor: 'assigned_to' },
  })
}

/** An artifact submitted by this person, who is made an administrator for the submission only. */
async function submit(tracker: MadeTracker, by: TestPerson, values: object = {}): Promise<number> {
  const body = { tracker: { id: tracker.id }, values_by_field: { summary: 'Crates', ...values } }
  const { status, text, json } = await api.post('/artifacts', { as: by, body })
  expect([status, text]).toEqual([201, expect.any(String)])
  return json.id
}

const EVERYBODY = [ADA, MARA, TOM, UMA, GUS, OLGA, RITA]
const NOBODY = 'nobody'

/** The people who see the artifact; every way to read it must give the same result. */
async function viewersOf(tracker: MadeTracker, id: number): Promise<string[]> {
  const pointer = (
    await api.post('/artifacts', {
      as: MARA,
      body: { tracker: { id: board.id }, values_by_field: { summary: 'Pointer', links: [id] } },
    })
  ).json.id
  const viewers: string[] = []
  for (const person of [...EVERYBODY, undefined]) {
    const as = person ? { as: person } : {}
    const shown = await api.get(`/artifacts/${id}`, as)
    const listed = await api.get(`/trackers/${tracker.id}/artifacts`, as)
    const linked = await api.get(`/artifacts/${pointer}?values_format=by_field&by_field_types=all`, as)
    const ids: unknown[] = listed.status === 200 ? listed.json.map((each: { id: number }) => each.id) : []
    const sees = [
      shown.status === 200,
      ids.includes(id),
      linked.status === 200 && linked.json.values_by_field.links.links.length === 1,
    ]
    expect([person?.login ?? NOBODY, ...sees]).toEqual([person?.login ?? NOBODY, sees[0], sees[0], sees[0]])
    expect(Number(listed.headers['x-pagination-size'] ?? 0)).toBe(ids.length)
    if (sees[0]) viewers.push(person?.login ?? NOBODY)
  }
  return viewers
}

let board: MadeTracker
beforeEach(async () => {
  board = await trackerFor({ full: ['@anonymous'] })
})

const ADMINS = ['ada', 'mara']
const restrict = (...granted_groups: string[]) => ({ value: { granted_groups, is_used_by_default: true } })

describe('an artifact is visible', () => {
  test.each([
    [['@anonymous'], [...ADMINS, 'tom', 'uma', 'gus', 'olga', NOBODY]],
    [['@registered'], [...ADMINS, 'tom', 'uma', 'gus', 'olga']],
    [['@members'], [...ADMINS, 'tom', 'uma']],
    [['leads'], [...ADMINS, 'uma', 'gus']],
    [['shadows'], [...ADMINS, 'uma', 'gus']],
    [['@admins'], ADMINS],
    [[], ADMINS],
  ])('with full access: %s', async (full, viewers) => {
    const tracker = await trackerFor({ full })
    expect(await viewersOf(tracker, await submit(tracker, MARA))).toEqual(viewers)
  })

  test('to its submitter, if they are in the group', async () => {
    const tracker = await trackerFor({ submitted_by_user: ['@registered'] })
    expect(await viewersOf(tracker, await submit(tracker, OLGA))).toEqual([...ADMINS, 'olga'])
    expect(await viewersOf(tracker, await submit(tracker, TOM))).toEqual([...ADMINS, 'tom'])
    const narrow = await trackerFor({ submitted_by_user: ['leads'] })
    expect(await viewersOf(narrow, await submit(narrow, GUS))).toEqual([...ADMINS, 'gus'])
    expect(await viewersOf(narrow, await submit(narrow, MARA))).toEqual(ADMINS)
  })

  test('to people who share a group with the submitter', async () => {
    const tracker = await trackerFor({ submitted_by_group: ['leads', '@members'] })
    expect(await viewersOf(tracker, await submit(tracker, GUS))).toEqual([...ADMINS, 'uma', 'gus'])
    expect(await viewersOf(tracker, await submit(tracker, TOM))).toEqual([...ADMINS, 'tom', 'uma'])
    expect(await viewersOf(tracker, await submit(tracker, UMA))).toEqual([...ADMINS, 'tom', 'uma', 'gus'])
    expect(await viewersOf(tracker, await submit(tracker, ADA))).toEqual(ADMINS)
  })

  test('to people who share a group with an assignee', async () => {
    const tracker = await trackerFor({ assigned_to_group: ['leads'], submitted_by_user: ['@members'] })
    const assigned = (...assigned_to: string[]) => submit(tracker, MARA, { assigned_to })

    expect(await viewersOf(tracker, await assigned('gus'))).toEqual([...ADMINS, 'uma', 'gus'])
    expect(await viewersOf(tracker, await assigned('tom', 'uma'))).toEqual([...ADMINS, 'uma', 'gus'])
    expect(await viewersOf(tracker, await assigned('tom'))).toEqual(ADMINS)
    expect(await viewersOf(tracker, await assigned())).toEqual(ADMINS)
  })

  test('to tracker administrators, whatever its permissions', async () => {
    const tracker = await trackerFor({ submitted_by_user: ['@members'], admin: ['leads'] })
    const id = await submit(tracker, MARA, { seen_by: restrict(`${ORCHARD}_4`) })

    expect(await viewersOf(tracker, id)).toEqual([...ADMINS, 'uma', 'gus'])
  })
})

describe('a restricted artifact', () => {
  test("is visible to its groups, if they see the tracker's artifacts anyway", async () => {
    const tracker = await trackerFor({ full: ['@members'] })
    const id = await submit(tracker, MARA, { seen_by: restrict(String(LEADS)) })

    expect(await viewersOf(tracker, id)).toEqual([...ADMINS, 'uma'])
    await api.put(`/artifacts/${id}`, { as: UMA, body: { values_by_field: { seen_by: restrict(`${ORCHARD}_3`) } } })
    expect(await viewersOf(tracker, id)).toEqual([...ADMINS, 'tom', 'uma'])
    await api.put(`/artifacts/${id}`, {
      as: TOM,
      body: { values_by_field: { seen_by: { value: { is_used_by_default: false } } } },
    })
    expect(await viewersOf(tracker, id)).toEqual([...ADMINS, 'tom', 'uma'])
  })

  test('is visible to all while the field is unused, and to its groups again once it is used', async () => {
    const id = await submit(board, MARA, { seen_by: restrict(String(LEADS)) })
    const use = async (isUsed: boolean) => {
      const { json } = await api.get(`/trackers/${board.id}/definition`, { as: MARA })
      const all: { name: string }[] = [...json.elements, ...(json.unused_elements ?? [])]
      const isIt = ({ name }: { name: string }) => name === 'seen_by'
      const others = all.filter((each) => !isIt(each))
      const elements = isUsed ? all : others
      const body = { ...json, elements, unused_elements: isUsed ? [] : all.filter(isIt) }
      const { status, text } = await api.put(`/trackers/${board.id}/definition`, { as: MARA, body })
      expect([status, text]).toEqual([200, expect.any(String)])
    }
    expect(await viewersOf(board, id)).toEqual([...ADMINS, 'uma', 'gus'])
    await use(false)
    expect(await viewersOf(board, id)).toContain('olga')
    // A change in between does not lift the restriction.
    await api.put(`/artifacts/${id}`, { as: TOM, body: { values_by_field: { summary: 'Boxes' } } })
    await use(true)
    expect(await viewersOf(board, id)).toEqual([...ADMINS, 'uma', 'gus'])
  })

  test('cannot be restricted by a caller who would lock themselves out, unless they administer the tracker', async () => {
    const body = { values_by_field: { seen_by: restrict(String(LEADS)) } }
    const id = await submit(board, TOM)

    expect(await api.put(`/artifacts/${id}`, { as: TOM, body })).toMatchObject(
      refused(400, 'value_not_allowed', { cause: 'perm_locks_out_caller' }),
    )
    expect((await api.put(`/artifacts/${id}`, { as: MARA, body })).status).toBe(200)
    expect(await api.get(`/artifacts/${id}`, { as: TOM })).toMatchObject(refused(404, 'not_found'))
  })
})

describe('a withdrawn right is gone on the next request, in every process', () => {
  const see = (id: number, as: TestPerson, headers = {}) => other.api.get(`/artifacts/${id}`, { as, headers })
  const members = (group: number | string, ...people: TestPerson[]) =>
    api.put(`/user_groups/${group}/users`, { as: MARA, body: people.map(({ login }) => ({ username: login })) })

  test.each([
    ['leads', LEADS],
    ['shadows', LEADS],
  ])('a membership: the tracker is for %s', async (group) => {
    const tracker = await trackerFor({ full: [group] })
    const id = await submit(tracker, MARA)
    const first = await see(id, UMA)
    expect(first.status).toBe(200)
    expect((await see(id, UMA, { 'if-none-match': first.headers.etag })).status).toBe(304)

    expect((await members(LEADS, GUS)).status).toBe(200)
    expect((await see(id, UMA, { 'if-none-match': first.headers.etag })).status).toBe(404)
    expect((await see(id, UMA)).status).toBe(404)
    expect((await see(id, GUS)).status).toBe(200)
  })

  test('the membership of the submitter', async () => {
    const tracker = await trackerFor({ submitted_by_group: ['leads'] })
    const id = await submit(tracker, GUS)
    expect((await see(id, UMA)).status).toBe(200)

    await members(LEADS, UMA)
    expect((await see(id, UMA)).status).toBe(404)
  })

  test('a right in the tracker, also on a conditional read', async () => {
    const id = await submit(board, MARA, { assigned_to: ['tom'] })
    const first = await see(id, TOM)
    const { json } = await api.get(`/trackers/${board.id}/definition`, { as: MARA })
    json.elements[1].permissions = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
    expect((await api.put(`/trackers/${board.id}/definition`, { as: MARA, body: json })).status).toBe(200)

    const again = await see(id, TOM, { 'if-none-match': first.headers.etag })
    expect(again.status).toBe(200)
    expect(again.json.assignees).toEqual([])
    expect(again.text).not.toContain('assigned_to')
  })
})

describe('a write that hides the artifact from its author', () => {
  test('is answered with the values the author was allowed to write, including links', async () => {
    const tracker = await trackerFor({ assigned_to_group: ['leads'], submitted_by_user: ['@members'] })
    const linked = await submit(board, MARA)
    const id = await submit(tracker, MARA, { assigned_to: ['uma'] })
    const body = { values_by_field: { assigned_to: [], links: [linked] } }
    const { status, json, headers } = await api.put(`/artifacts/${id}?values_format=all`, { as: UMA, body })

    expect(status).toBe(200)
    expect(json).toMatchObject({ id, title: 'Crates', assignees: [], last_update_by: UMA.id })
    expect(json.values.find(({ type }: { type: string }) => type === 'art_link').links).toMatchObject([{ id: linked }])
    expect(headers.etag).toMatch(/^"/)
    expect(await api.get(`/artifacts/${id}`, { as: UMA })).toMatchObject(refused(404, 'not_found'))
  })

  test('may be the creation itself', async () => {
    const tracker = await trackerFor({ assigned_to_group: ['leads'] })
    const body = { tracker: { id: tracker.id }, values_by_field: { summary: 'Gone', assigned_to: [] } }
    const { status, json } = await api.post('/artifacts', { as: UMA, body })

    expect([status, json.title]).toEqual([201, 'Gone'])
    expect((await api.get(`/artifacts/${json.id}`, { as: UMA })).status).toBe(404)
  })
})
