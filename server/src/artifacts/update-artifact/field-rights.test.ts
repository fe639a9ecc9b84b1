import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

/** Permissions to set fields, their defaults, and when they are required. */
const { api, clock } = await startWorld({ seedOnce: true })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const rights = (read: string, submit: string, update: string) => ({
  permissions: { read: [read], submit: [submit], update: [update] },
})
const [ALL, USERS, MEMBERS, ADMINS] = ['@anonymous', '@registered', '@members', '@admins']

/** Tom is a member; Olga is only signed in; Mara administers the project. */
const DEFINITION = {
  label: 'Rights',
  item_name: 'right',
  permissions: { full: [ALL] },
  elements: [
    field('main', 'fieldset', { content: [field('summary', 'string')] }),
    field('opinion', 'string', rights(ADMINS, USERS, ADMINS)), // May be submitted, but not read.
    field('state', 'sb', { ...rights(ALL, ADMINS, MEMBERS), bind: { ...list('New', 'Old'), default: ['new'] } }),
    field('price', 'int', { ...rights(ALL, ADMINS, ADMINS), default: 12 }),
    field('secret', 'string', { ...rights(ADMINS, ADMINS, ADMINS), default: 'unsaid' }),
    field('shown', 'string', rights(ALL, ADMINS, ADMINS)),
    field('changed', 'string', rights(ADMINS, ADMINS, MEMBERS)), // Update permission includes read permission.
    field('places', 'msb', { ...rights(ALL, MEMBERS, ADMINS), bind: list('Barn', 'Yard') }),
  ],
  unused_elements: [field('old', 'string')],
  semantics: { title: 'summary' },
}

let tracker: MadeTracker
let count = 0
const trackerWith = (...elements: object[]) => {
  count++
  const names = { label: `More ${count}`, item_name: `more_${count}` }
  return makeTestTracker(api, { ...names, permissions: { full: [ALL] }, elements })
}
beforeAll(async () => {
  tracker = await makeTestTracker(api, DEFINITION)
})

const create = (values_by_field: object, as: TestPerson = TOM, into = tracker) =>
  api.post('/artifacts', { as, body: { tracker: { id: into.id }, values_by_field } })
const made = async (values_by_field: object, as: TestPerson = TOM, into = tracker): Promise<number> => {
  const { status, text, json } = await create(values_by_field, as, into)
  expect([status, text]).toEqual([201, expect.any(String)])
  return json.id
}
const update = (id: number, values_by_field: object, as: TestPerson = TOM) =>
  api.put(`/artifacts/${id}`, { as, body: { values_by_field } })
const shown = async (id: number, as: TestPerson = MARA) =>
  (await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as })).json.values_by_field

describe('a field without write permission', () => {
  test('is refused with a cause, on creation and on a change', async () => {
    const id = await made({ summary: 'One' })
    const [first, later] = [await create({ summary: 'x', shown: 'x', price: 1 }), await update(id, { price: 1 })]

    expect(first).toMatchObject(refused(400, 'field_not_writable', { cause: 'field_not_submittable' }))
    expect(first.json.error.details.all).toMatchObject([
      { field_id: tracker.field('price'), name: 'price', label: 'price', path: 'values_by_field.price' },
      { field_id: tracker.field('shown'), name: 'shown', cause: 'field_not_submittable' },
    ])
    expect(later).toMatchObject(refused(400, 'field_not_writable', { cause: 'field_not_updatable' }))
  })

  test('may be sent with its current value', async () => {
    const id = await made({ summary: 'One', places: ['Barn', 'Yard'] })

    expect((await update(id, { price: 12, places: ['Yard', 'Barn'], shown: '' })).status).toBe(200)
    expect((await update(id, { price: 12, summary: 'Two' })).json.title).toBe('Two')
    expect((await update(id, { places: ['Yard'] })).status).toBe(400)
  })

  test('is writable for site administrators, and for project administrators if the field permits it', async () => {
    expect((await create({ summary: 'x', secret: 's', price: 1, shown: 'y', opinion: 'o' }, ADA)).status).toBe(201)
    expect((await create({ summary: 'x', secret: 's', price: 1, shown: 'y', opinion: 'o' }, MARA)).status).toBe(201)
  })
})

describe('a field that is hidden from the caller', () => {
  const unknown = (path: string) => ({ reason: 'reference_unknown', cause: 'field_unknown', path })

  test('is unknown by name and by id, like a missing or unused field, or one without a value', async () => {
    const main = (await api.get(`/trackers/${tracker.id}`, { as: MARA })).json.fields[0].field_id
    const values = [tracker.field('secret'), 999_999, -1, main].map((field_id) => ({ field_id, value: 'x' }))
    const id = await made({ summary: 'One' })
    for (const answer of [
      await api.post('/artifacts', { as: TOM, body: { tracker: { id: tracker.id }, values } }),
      await api.put(`/artifacts/${id}`, { as: TOM, body: { values } }),
    ]) {
      expect(answer).toMatchObject(refused(400, 'reference_unknown', { cause: 'field_unknown', path: 'values[0]' }))
      expect(answer.json.error.details.all).toMatchObject(values.map((_, at) => unknown(`values[${at}]`)))
      expect(answer.text).not.toContain('secret')
    }
    const named = await create({ secret: 'x', absent: 'x', old: 'x', main: 'x' })
    expect(named.json.error.details.all).toMatchObject(
      ['secret', 'absent', 'old', 'main'].map((name) => unknown(`values_by_field.${name}`)),
    )
  })

  test('may be submitted once if the tracker collects it, and is not returned', async () => {
    const { status, json, text } = await create({ summary: 'One', opinion: 'Frankly' }, OLGA)

    expect(status).toBe(201)
    expect(text).not.toContain('Frankly')
    expect(await shown(json.id)).toMatchObject({ opinion: { value: 'Frankly' } })
    expect(await shown(json.id, OLGA)).not.toHaveProperty('opinion')
  })

  test('reveals nothing later to the submitter, whether they know or guess the value', async () => {
    const id = await made({ summary: 'One', opinion: 'Frankly' })
    const [right, wrong] = [await update(id, { opinion: 'Frankly' }), await update(id, { opinion: 'Kindly' })]

    for (const answer of [right, wrong])
      expect(answer).toMatchObject(refused(400, 'reference_unknown', { cause: 'field_unknown' }))
  })

  test('is readable by everyone who may update it', async () => {
    const id = await made({ summary: 'One' })

    expect((await update(id, { changed: 'Seen' })).status).toBe(200)
    expect(await shown(id, TOM)).toMatchObject({ changed: { value: 'Seen' } })
    expect(await shown(id, OLGA)).not.toHaveProperty('changed')
  })
})

describe('the initial value of a field', () => {
  test('is its default, even if the caller may neither submit nor read it', async () => {
    const id = await made({ summary: 'One' }, OLGA)

    expect(await shown(id)).toMatchObject({
      state: { values: [{ label: 'New' }] },
      price: { value: 12 },
      secret: { value: 'unsaid' },
      shown: null,
    })
  })

  test('is the sent value, even if that is empty', async () => {
    const id = await made({ summary: 'One', state: [], price: '' }, MARA)

    expect(await shown(id)).toMatchObject({ state: { values: [] }, price: { value: null } })
  })

  test('is not set again on a later change', async () => {
    const id = await made({ summary: 'One', price: '' }, MARA)
    await update(id, { summary: 'Two' }, MARA)

    expect(await shown(id)).toMatchObject({ price: { value: null } })
  })

  test('is set for every type that has one', async () => {
    const every = await trackerWith(
      field('line', 'string', { default: 'Line' }),
      field('words', 'text', { default: 'Words & more' }),
      field('whole', 'int', { default: 3 }),
      field('part', 'float', { default: 1.5 }),
      field('day', 'date', { default: '2026-04-01' }),
      field('today', 'date', { default: 'today' }),
      field('one', 'rb', { bind: { ...list('A', 'B'), default: ['b'] } }),
      field('many', 'cb', { bind: { ...list('A', 'B'), default: ['a', 'b'] } }),
      field('person', 'sb', { bind: { type: 'users', sources: [MEMBERS], default: ['tom'] } }),
      field('group', 'sb', { bind: { type: 'ugroups', groups: [MEMBERS, 'leads'], default: ['leads'] } }),
      field('tags', 'tbl', { bind: { ...list('x', 'y'), default: ['x'] } }),
      field('sum', 'computed', { default: 4 }),
      field('seen_by', 'perm', { default: [MEMBERS] }),
    )
    clock.set('2026-03-01T23:30:00Z')
    const id = await made({ line: 'Line' }, TOM, every)

    expect(await shown(id)).toMatchObject({
      line: { value: 'Line' },
      words: { commonmark: 'Words & more' },
      whole: { value: 3 },
      part: { value: 1.5 },
      day: { value: '2026-04-01T00:00:00+00:00' },
      today: { value: '2026-03-01T00:00:00+00:00' },
      one: { values: [{ label: 'B' }] },
      many: { values: [{ label: 'A' }, { label: 'B' }] },
      person: { bind_value_ids: [TOM.id] },
      group: { values: [{ short_name: 'leads' }] },
      tags: { bind_value_ids: ['x'] },
      sum: { manual_value: 4, is_autocomputed: false },
      seen_by: { granted_groups_ids: [expect.stringMatching(/_3$/)] },
    })
  })
})

describe('a required field', () => {
  const missing = (name: string) => ({ reason: 'field_required', rule: 'required', name })

  test('must be set on creation, unless it has a default or the caller may not submit it', async () => {
    const demanding = await trackerWith(
      field('summary', 'string'),
      field('why', 'string', { required: true }),
      field('size', 'int', { required: true, default: 3 }),
      field('who', 'msb', { required: true, bind: { type: 'users', sources: [MEMBERS] } }),
      field('inside', 'string', { required: true, ...rights(ALL, ADMINS, ADMINS) }),
    )
    const [tom, mara] = [
      await create({ summary: 'x' }, TOM, demanding),
      await create({ summary: 'x' }, MARA, demanding),
    ]

    expect(tom).toMatchObject(refused(400, 'field_required', { rule: 'required' }))
    expect(tom.json.error.details.all).toMatchObject([missing('why'), missing('who')])
    expect(mara.json.error.details.all).toMatchObject([missing('why'), missing('who'), missing('inside')])
    expect((await create({ why: 'x', who: 'tom' }, TOM, demanding)).status).toBe(201)
  })

  test('cannot be set to empty, neither first nor later', async () => {
    const demanding = await trackerWith(
      field('why', 'string', { required: true, default: 'Because' }),
      field('size', 'int', { required: true, default: 3 }),
      field('one', 'sb', { required: true, bind: { ...list('A', 'B'), default: ['a'] } }),
      field('tags', 'tbl', { required: true, bind: { ...list('x'), default: ['x'] } }),
    )
    const nothing = { why: '', size: '', one: [], tags: [] }
    const id = await made({ why: 'x' }, TOM, demanding)

    for (const answer of [await create(nothing, TOM, demanding), await update(id, nothing)]) {
      expect(answer).toMatchObject(refused(400, 'field_required', { path: 'values_by_field.why.value' }))
      expect(answer.json.error.details.all).toMatchObject(['why', 'size', 'one', 'tags'].map(missing))
    }
  })

  test('must be set on a change only if it is empty and the caller may set it', async () => {
    const later = await trackerWith(field('summary', 'string'), field('why', 'string', rights(ALL, USERS, MEMBERS)))
    const id = await made({ summary: 'One' }, TOM, later)
    const { json: definition, headers } = await api.get(`/trackers/${later.id}/definition`, { as: MARA })
    definition.elements[1].required = true
    const put = { as: MARA, headers: { 'if-match': String(headers.etag) }, body: definition }
    expect((await api.put(`/trackers/${later.id}/definition`, put)).status).toBe(200)

    expect((await update(id, { summary: 'Two' })).json.error.details.all).toMatchObject([missing('why')])
    expect((await api.put(`/artifacts/${id}`, { as: OLGA, body: { comment: { body: 'Hi' } } })).status).toBe(200)
    expect((await update(id, { summary: 'Two', why: 'Now' })).status).toBe(200)
    expect((await update(id, { summary: 'Three' })).status).toBe(200)
  })
})
