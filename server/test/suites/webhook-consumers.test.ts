import { beforeEach, expect, test } from 'vitest'
import { makeTestTracker } from '../fixtures/every-field.ts'
import { startWorld } from '../harness/start-world.ts'
import { MARA, TOM, UMA } from '../fixtures/people.ts'
import { drainWorker } from '../harness/run-jobs.ts'
import { allowLoopback, payloadOf, startReceiver } from '../peers/webhook-receiver.ts'

// The requirements of two public receivers of the original's webhooks; see docs/compatibility.md.
const { api, context } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ bind: { type: 'static', values: labels.map((label) => ({ label })) } })

/** The first one identifies values only by position, in a form like this. */
const FORM = {
  format: 'waypost-tracker/1',
  label: 'Tasks',
  item_name: 'task',
  elements: [
    field('title', 'string'),
    field('type', 'sb', list('Bug', 'Wish')),
    field('assigned_to', 'sb', { bind: { type: 'users', sources: ['@members'] } }),
    field('status', 'sb', list('Open', 'Closed')),
    field('links', 'art_link'),
    field('id', 'aid'),
    field('last_update', 'lud'),
    field('references', 'cross'),
    field('files', 'file'),
    field('submitted_on', 'subon'),
    field('remaining', 'float'),
    field('last_update_by', 'luby'),
    field('details', 'text'),
    field('submitted_by', 'subby'),
  ],
  semantics: { title: 'title', contributor: 'assigned_to', status: { field: 'status', open: ['open'] } },
}
const POSITIONS = FORM.elements.map(({ name }) => name)
const USER = {
  ldap_id: 'string',
  has_avatar: 'boolean',
  avatar_url: 'string',
  is_anonymous: 'boolean',
  user_url: 'string',
  real_name: 'string',
  id: 'number',
  display_name: 'string',
  uri: 'string',
  username: 'string',
}

const typesOf = (user: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(USER).map((name) => [name, typeof user[name]]))

async function tell(first: object, ...changes: object[]) {
  const tracker = await makeTestTracker(api, FORM)
  await api.post(`/trackers/${tracker.id}/webhooks`, { as: MARA, body: { url: receiver.url('/') } })
  const { status, json, text } = await api.post('/artifacts', {
    as: TOM,
    body: { tracker: { id: tracker.id }, values_by_field: first },
  })
  if (status !== 201) throw new Error(text)
  for (const body of changes) {
    const answer = await api.put(`/artifacts/${json.id}`, { as: UMA, body })
    if (answer.status !== 200) throw new Error(answer.text)
  }
  await drainWorker(context)
  return { tracker, id: json.id, requests: await receiver.received() }
}

test('Tuleap-tasks-to-Mattermost: one line, cut after eight characters, values by position, ten members of each user', async () => {
  const { id, requests } = await tell(
    { title: { value: 'It leaks' }, assigned_to: { value: 'uma' } },
    {
      values_by_field: { details: { value: 'A lot', format: 'text' }, assigned_to: { value: 'tom' } },
      comment: { body: 'On it', format: 'text' },
    },
  )
  const [, update] = requests
  if (!update) throw new Error('It did not come.')
  expect(update.body).not.toMatch(/[\r\n]/)
  // It decodes the whole body first, then cuts.
  const payload = JSON.parse(decodeURIComponent(update.body.replaceAll('+', ' ')).slice(8))
  expect(typesOf(payload.user)).toEqual(USER)
  expect(payload.action).toBe('update')
  for (const changeset of [payload.current, payload.previous]) {
    expect(typeof changeset.id).toBe('number')
    for (const name of ['submitted_on', 'last_modified_date']) expect(typeof changeset[name]).toBe('string')
    for (const name of ['submitted_by_details', 'last_modified_by']) expect(typesOf(changeset[name])).toEqual(USER)
    expect(typeof changeset.last_comment.body).toBe('string')
    expect(changeset.values.map(({ label }: { label: string }) => label)).toEqual(POSITIONS)
    expect(typesOf(changeset.values[2].values[0])).toEqual(USER)
    expect(typeof changeset.values[0].value).toBe('string')
    expect(changeset.values[5].value).toBe(id)
    expect(typeof changeset.values[12].value).toBe('string')
  }
  expect(payload.current.values[12].value).toBe('A lot')
  expect(payload.previous.values[12].value).toBe('')
  expect(payload.current.values[2].values[0].username).toBe('tom')
  expect(payload.previous.values[2].values[0].username).toBe('uma')
})

test('tuleap-function-examples: the contributor field is present without an assignee, and the semantic names it', async () => {
  const { tracker, requests } = await tell({ title: { value: 'It leaks' } })
  const [created] = requests
  if (!created) throw new Error('It did not come.')
  const { action, current, previous, tracker: payloadTracker } = payloadOf(created)
  expect([action, previous]).toEqual(['create', null])
  expect(payloadTracker.semantics.contributor.field_id).toBe(tracker.field('assigned_to'))
  const contributor = current.values.find(
    ({ field_id }: { field_id: number }) => field_id === payloadTracker.semantics.contributor.field_id,
  )
  expect(contributor.bind_value_ids).toEqual([100])
  expect(current.submitted_by).toBe(TOM.id)
  const type = payloadTracker.fields.find(({ label }: { label: string }) => label === 'type')
  expect(type.values.map(({ label }: { label: string }) => label)).toEqual(['Bug', 'Wish'])
})
