import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../test/fixtures/people.ts'
import { BUG, BUGS, LOST_BUGS, MARSH_BUGS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { refused } from '../../test/harness/refused.ts'
import { recordedEvents } from '../../test/harness/recorded-events.ts'

const { api, context } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let hidden: MadeTracker
/** Has every kind of rule; `from_artifact` bypasses all of them. */
let strict: MadeTracker
/** Only project administrators may submit values here. */
let closed: MadeTracker
let untitled: MadeTracker

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const admins = { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] }

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  hidden = await makeTestTracker(api, HIDDEN_TRACKER)
  strict = await makeTestTracker(api, {
    label: 'Strict',
    item_name: 'strict',
    permissions: { full: ['@anonymous'] },
    elements: [
      field('title', 'string', { properties: { maxchars: 20 } }),
      field('status', 'sb', { bind: { ...list('New', 'Done'), default: ['done'] } }),
      field('reason', 'string', { required: true }),
    ],
    semantics: { title: 'title', status: { field: 'status', open: ['new'] } },
    workflow: { field: 'status', used: true, mode: 'simple', states: [{ to: 'new', from: ['@new'] }] },
  })
  closed = await makeTestTracker(api, {
    label: 'Closed',
    item_name: 'closed',
    permissions: { full: ['@anonymous'] },
    elements: [field('title', 'string', { permissions: admins }), field('number', 'aid')],
    semantics: { title: 'title' },
  })
  untitled = await makeTestTracker(api, {
    label: 'Untitled',
    item_name: 'untitled',
    permissions: { full: ['@anonymous'] },
    elements: [field('words', 'string')],
  })
})

const post = (body: object, as: TestPerson = TOM, path = '/artifacts') => api.post(path, { as, body })
const create = (values_by_field: object, as?: TestPerson) => post({ tracker: { id: tracker.id }, values_by_field }, as)

describe('POST /artifacts', () => {
  test('returns the artifact with its location and version', async () => {
    const values = [{ field_id: tracker.field('summary'), value: 'Crates' }]
    const { status, json, headers } = await post({ tracker: { id: tracker.id }, values })

    expect(status).toBe(201)
    expect(json).toMatchObject({
      uri: `artifacts/${json.id}`,
      xref: `delivery #${json.id}`,
      title: 'Crates',
      submitted_by: TOM.id,
      last_update_by: TOM.id,
      submitted_on: '2026-03-01T09:30:00+00:00',
      values_by_field: null,
      tracker: { id: tracker.id, uri: `trackers/${tracker.id}`, color: 'inca-silver', color_name: 'inca-silver' },
    })
    expect(headers).toMatchObject({
      location: `https://waypost.example/api/artifacts/${json.id}`,
      'last-modified': 'Sun, 01 Mar 2026 09:30:00 GMT',
    })
    const shown = await api.get(`/artifacts/${json.id}`, { as: TOM })
    expect(shown.json).toEqual({ ...json, tracker: shown.json.tracker })
    expect(String(headers.etag).split('.')[0]).toBe(String(shown.headers.etag).split('.')[0])
  })

  test('answers with values by field if the request sent values by field', async () => {
    const { json, headers } = await create({ summary: { value: 'Crates' } })

    expect(json).toMatchObject({
      uri: `artifacts/${json.id}?values_format=by_field`,
      values: null,
      values_by_field: { summary: { value: 'Crates' }, points: null },
    })
    expect(headers.location).toBe(`https://waypost.example/api/${json.uri}`)
  })

  test('returns a location in the API version that the client used', async () => {
    const body = { tracker: { id: tracker.id }, values: [{ field_id: tracker.field('summary'), value: 'Crates' }] }
    const { json, headers } = await post(body, TOM, '/api/v1/artifacts')

    expect(headers.location).toBe(`https://waypost.example/api/v1/artifacts/${json.id}`)
  })

  test('accepts a comment with the first version', async () => {
    const comment = { body: 'Handle with care', format: 'text' }
    const { json } = await post({ tracker: { id: tracker.id }, values_by_field: { summary: 'Crates' }, comment })
    const changesets = await api.get(`/artifacts/${json.id}/changesets`, { as: TOM })

    expect(changesets.json).toMatchObject([{ version: 1, last_comment: { body: 'Handle with care' } }])
  })

  test('numbers the artifacts of each tracker separately', async () => {
    const number = async () => {
      const { json } = await post({ tracker: { id: tracker.id }, values_by_field: { summary: 'One' } })
      return json.values_by_field.number.value
    }
    const [first, second] = [await number(), await number()]
    expect(second).toBe(first + 1)
  })

  test('lists the filled-in fields in the feed event', async () => {
    const { json } = await create({ summary: 'Crates', points: 3 })
    const events = await recordedEvents(context, 'artifact.created')

    expect(events.at(-1)).toMatchObject({
      object: `artifacts/${json.id}`,
      project_id: ORCHARD,
      actor_id: TOM.id,
      payload: {
        version: 1,
        tracker_id: tracker.id,
        changed: [tracker.field('summary'), tracker.field('points')],
        has_comment: false,
      },
    })
  })
})

describe('the source of the values', () => {
  const values = () => [{ field_id: tracker.field('summary'), value: 'Crates' }]
  const into = () => ({ tracker: { id: tracker.id } })

  test.each([
    ['values and values by field', () => ({ values: values(), values_by_field: { summary: 'x' } }), 'values_by_field'],
    ['values and another artifact', () => ({ values: values(), from_artifact: { id: 1 } }), 'from_artifact'],
    ['values by field and another', () => ({ values_by_field: { a: 1 }, from_artifact: { id: 1 } }), 'from_artifact'],
  ])('must be unique: %s are two', async (_, sources, path) => {
    expect(await post({ ...into(), ...sources() })).toMatchObject(
      refused(400, 'parameter_conflict', { path, cause: 'value_sources_conflict' }),
    )
  })

  test.each([
    ['nothing', {}],
    ['an empty list', { values: [] }],
    ['an empty object', { values_by_field: {} }],
    ['both empty', { values: [], values_by_field: {} }],
    ['a comment alone', { comment: { body: 'Hello' } }],
  ])('is required: %s is none', async (_, sources) => {
    expect(await post({ ...into(), ...sources })).toMatchObject(
      refused(400, 'parameter_required', { path: 'values', cause: 'value_source_missing' }),
    )
  })

  test('may be sent next to empty ones', async () => {
    expect((await post({ ...into(), values: values(), values_by_field: {} })).status).toBe(201)
    expect((await post({ ...into(), values: [], values_by_field: { summary: 'x' } })).status).toBe(201)
  })
})

describe('another artifact as the source', () => {
  const from = (id: number, goal: MadeTracker, as?: TestPerson, more: object = {}) =>
    post({ tracker: { id: goal.id }, from_artifact: { id }, ...more }, as)

  test('copies its title only, whatever the rules require; defaults are set', async () => {
    const source = await makeTestArtifact(api, tracker, { summary: 'Crates', points: 5 })
    const { status, json } = await from(source, strict)

    expect(status).toBe(201)
    expect(json).toMatchObject({ title: 'Crates', status: 'Done', uri: `artifacts/${json.id}`, values_by_field: null })
    expect(json.values.map(({ label }: { label: string }) => label)).toEqual(['title', 'status'])
  })

  test('may come with a comment', async () => {
    const source = await makeTestArtifact(api, tracker, { summary: 'Crates' })
    const { json } = await from(source, strict, TOM, { comment: { body: 'Taken over' } })

    const { json: versions } = await api.get(`/artifacts/${json.id}/changesets`, { as: TOM })
    expect(versions).toMatchObject([{ last_comment: { commonmark: 'Taken over' } }])
  })

  test('needs a title field that the caller may read or submit', async () => {
    const few = ['@admins']
    const titled = await makeTestTracker(api, {
      label: 'Titled by few',
      item_name: `t${randomUUID().slice(0, 8)}`,
      permissions: { full: ['@anonymous'] },
      elements: [
        field('title', 'string', { permissions: { read: few, submit: few, update: few } }),
        field('note', 'string'),
      ],
      semantics: { title: 'title' },
    })
    const source = await makeTestArtifact(api, tracker, { summary: 'Crates' })
    expect(await from(source, titled, TOM)).toMatchObject(refused(400, 'rule_violated', { cause: 'title_missing' }))
    expect((await from(source, titled, MARA)).status).toBe(201)
  })

  test('needs a title field in both trackers', async () => {
    const nameless = await makeTestArtifact(api, tracker, { points: 5 })
    const named = await makeTestArtifact(api, tracker, { summary: 'Crates' })
    const missing = refused(400, 'rule_violated', { cause: 'title_missing' })

    expect(await from(nameless, strict)).toMatchObject(missing)
    expect(await from(named, untitled)).toMatchObject(missing)
  })

  test('is still checked like any other value', async () => {
    const long = await makeTestArtifact(api, tracker, { summary: 'A title of more than twenty characters' })
    const named = await makeTestArtifact(api, tracker, { summary: 'Crates' })

    expect(await from(long, strict)).toMatchObject(refused(400, 'value_invalid', { cause: 'too_long' }))
    expect(await from(named, closed, MARA)).toMatchObject({ status: 201 })
    expect(await from(named, closed)).toMatchObject(refused(403, 'permission_denied'))
  })

  test('is unknown if it is hidden, as if it did not exist', async () => {
    const secret = await makeTestArtifact(api, hidden, { summary: 'Psst' })
    const answers = [await from(secret, strict), await from(999_999, strict), await from(-1, strict)]

    for (const answer of answers)
      expect(answer).toMatchObject(refused(400, 'reference_unknown', { path: 'from_artifact.id' }))
  })
})

describe('the tracker of a new artifact', () => {
  const into = (id: unknown, as?: TestPerson) => post({ tracker: { id }, values_by_field: { summary: 'x' } }, as)

  test('is given by its id', async () => {
    const values_by_field = { summary: 'x' }
    const missing = refused(400, 'parameter_required', { cause: 'tracker_missing' })

    expect(await post({ values_by_field })).toMatchObject(missing)
    expect(await post({ tracker: {}, values_by_field })).toMatchObject(missing)
    expect(await into('seven')).toMatchObject(refused(400, 'parameter_invalid', { path: 'tracker.id' }))
    expect(await into(null)).toMatchObject(refused(400, 'parameter_invalid', { path: 'tracker.id' }))
  })

  test.each([
    ['unknown', () => 999_999],
    ['no id at all', () => -1],
    ['in the trash', () => LOST_BUGS],
    ['hidden', () => hidden.id],
  ])('cannot be one that is %s', async (_, id) => {
    expect(await into(id())).toMatchObject(refused(404, 'not_found'))
  })

  test('cannot be in a suspended project, and members see the reason', async () => {
    expect(await into(MARSH_BUGS)).toMatchObject(refused(404, 'project_suspended'))
    expect(await into(MARSH_BUGS, OLGA)).toMatchObject(refused(404, 'not_found'))
    expect(await into(MARSH_BUGS, ADA)).toMatchObject(refused(400, 'rule_violated', { cause: 'project_not_active' }))
  })

  test('must have a field that the caller may submit', async () => {
    const body = { tracker: { id: closed.id }, values_by_field: { title: 'x' } }

    expect(await post(body)).toMatchObject(refused(403, 'permission_denied', { cause: 'submit' }))
    expect((await post(body, MARA)).status).toBe(201)
  })

  test('accepts only signed-in callers', async () => {
    const body = { tracker: { id: BUGS }, values: [{ field_id: BUG.summary, value: 'x' }] }

    expect(await api.post('/artifacts', { body })).toMatchObject(refused(401, 'authentication_required'))
    expect((await post(body, OLGA)).status).toBe(201)
  })
})
