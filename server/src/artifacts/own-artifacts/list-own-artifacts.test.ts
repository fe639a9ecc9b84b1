import { beforeAll, describe, expect, test } from 'vitest'
import type { TestClient, Response } from '../../../test/harness/client.ts'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, PIA, SAM, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, clock } = await startWorld({ seedOnce: true })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const people = { bind: { type: 'users', sources: ['@members'] } }
const FOR_ADMINS = { permissions: { read: ['@admins'], submit: ['@members'], update: ['@admins'] } }
const ALL = { full: ['@anonymous'] }

const JOBS = {
  label: 'Jobs',
  item_name: 'job',
  permissions: ALL,
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: list('Open', 'Closed') }),
    field('worker', 'msb', people),
    field('seen_by', 'perm'),
  ],
  semantics: { title: 'summary', contributor: 'worker', status: { field: 'status', open: ['open'] } },
}
/** Has a status with three open values, a priority and a due date. */
const CHORES = {
  label: 'Chores',
  item_name: 'chore',
  permissions: ALL,
  elements: [
    field('summary', 'string'),
    field('status', 'sb', {
      bind: {
        type: 'static',
        values: [{ label: 'Done' }, { label: 'New' }, { label: 'Begun', color: 'deep-blue' }, { label: 'Paused' }],
      },
    }),
    field('priority', 'sb', { bind: list('High', 'Low') }),
    field('due', 'date'),
    field('deadline', 'date', { properties: { display_time: true } }),
    field('worker', 'msb', people),
  ],
  semantics: { title: 'summary', contributor: 'worker', status: { field: 'status', open: ['new', 'begun', 'paused'] } },
}
/** Has no status, so every artifact is open. */
const NOTES = { label: 'Notes', item_name: 'note', permissions: ALL, elements: [field('summary', 'string')] }
/** Members may not read the status. */
const DARK = {
  ...JOBS,
  label: 'Dark',
  item_name: 'dark',
  elements: JOBS.elements.map((each) => (each.name === 'status' ? { ...each, ...FOR_ADMINS } : each)),
}
/** Members may not read the assignee. */
const VEILED = {
  ...JOBS,
  label: 'Veiled',
  item_name: 'veiled',
  elements: JOBS.elements.map((each) => (each.name === 'worker' ? { ...each, ...FOR_ADMINS } : each)),
}
/** Members see only artifacts that they submitted. */
const OWN = { ...JOBS, label: 'Own', item_name: 'own', permissions: { submitted_by_user: ['@members'] } }
const HIDDEN = { ...JOBS, label: 'Hidden', item_name: 'hidden', permissions: { full: ['@admins'] } }

const ids = new Map<string, number>()
const EITHER = { submitted_by: true, assigned_to: true }

async function make(
  client: TestClient,
  as: TestPerson,
  tracker: number,
  summary: string,
  values: object = {},
): Promise<void> {
  clock.advance(1000)
  const body = { tracker: { id: tracker }, values_by_field: { summary, ...values } }
  const { status, text, json } = await client.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(`${summary} was not made: ${text}`)
  ids.set(summary, json.id)
}

let jobs: MadeTracker
beforeAll(async () => {
  const [dark, veiled, own, hidden, notes] = await Promise.all(
    [DARK, VEILED, OWN, HIDDEN, NOTES].map((definition) => makeTestTracker(api, definition)),
  ).then((made) => made.map(({ id }) => id))
  jobs = await makeTestTracker(api, JOBS)
  const toms = { worker: { value: ['tom'] } }
  await make(api, TOM, jobs.id, 'made by Tom', { status: 'Open' })
  await make(api, TOM, jobs.id, 'closed by Tom', { status: 'Closed' })
  await make(api, TOM, jobs.id, 'made by Tom without status')
  await make(api, MARA, jobs.id, 'for Tom', { status: 'Open', ...toms })
  await make(api, TOM, jobs.id, 'made by Tom for Tom and Uma', { status: 'Open', worker: { value: ['uma', 'tom'] } })
  await make(api, MARA, jobs.id, 'closed for Tom', { status: 'Closed', ...toms })
  await make(api, MARA, jobs.id, 'for Tom, who may not see it', {
    status: 'Open',
    ...toms,
    seen_by: { value: { granted_groups: ['project_admins'] } },
  })
  await make(api, TOM, Number(notes), 'noted by Tom')
  await make(api, OLGA, Number(notes), 'noted by Olga')
  await make(api, TOM, Number(dark), 'made by Tom in the dark', { status: 'Open' })
  await make(api, MARA, Number(veiled), 'veiled for Tom', { status: 'Open', ...toms })
  await make(api, TOM, Number(veiled), 'made by Tom, veiled', { status: 'Open' })
  await make(api, MARA, Number(own), 'for Tom, made by Mara', { status: 'Open', ...toms })
  await make(api, TOM, Number(own), 'of Tom’s own', { status: 'Open' })
  await make(api, MARA, Number(hidden), 'hidden for Tom', { status: 'Open', ...toms })
  await make(api, TOM, jobs.id, 'deleted', { status: 'Open' })
  await api.delete(`/artifacts/${ids.get('deleted')}`, { as: MARA })
  const { json: safe } = await api.post(`/projects/${VAULT}/trackers`, {
    as: VICTOR,
    body: { ...NOTES, permissions: { full: ['@members'] } },
  })
  await make(api, VICTOR, safe.id, 'of Victor')
})

const get = (query: unknown, as?: TestPerson, more = '', who: string | number = 'self'): Promise<Response> =>
  api.get(`/users/${who}/artifacts?query=${encodeURIComponent(JSON.stringify(query))}${more}`, { ...(as && { as }) })
const titlesOf = async (query: object, as: TestPerson) => {
  const { status, text, json, headers } = await get(query, as)
  expect(status, text).toBe(200)
  expect(headers['x-pagination-size']).toBe(String(json.length))
  return json.map(({ title, id }: { title: string | null; id: number }) => title ?? nameOf(id))
}
const nameOf = (id: number) => [...ids].find(([, each]) => each === id)?.[0]

const SUBMITTED = ['of Tom’s own', 'made by Tom, veiled', 'noted by Tom', 'made by Tom for Tom and Uma', 'made by Tom']
const ASSIGNED = ['made by Tom for Tom and Uma', 'for Tom']

describe('the list', () => {
  test('has open artifacts that the caller submitted, is assigned to, or either, latest update first', async () => {
    expect(await titlesOf({ submitted_by: true }, TOM)).toEqual(SUBMITTED)
    expect(await titlesOf({ submitted_by: true, assigned_to: false }, TOM)).toEqual(SUBMITTED)
    expect(await titlesOf({ assigned_to: true }, TOM)).toEqual(ASSIGNED)
    expect(await titlesOf(EITHER, TOM)).toEqual([...SUBMITTED.slice(0, 4), 'for Tom', 'made by Tom'])
    expect(await titlesOf(EITHER, UMA)).toEqual(['made by Tom for Tom and Uma'])
    expect(await titlesOf(EITHER, OLGA)).toEqual(['noted by Olga'])
    expect(await titlesOf(EITHER, VICTOR)).toEqual(['of Victor'])
    expect(await titlesOf(EITHER, ADA)).toEqual([])
  })

  test('shows an administrator the artifacts that are hidden from members', async () => {
    expect(await titlesOf({ submitted_by: true }, MARA)).toEqual([
      'hidden for Tom',
      'for Tom, made by Mara',
      'veiled for Tom',
      'for Tom, who may not see it',
      'for Tom',
    ])
  })

  test('has exactly the artifacts that are open and the caller’s according to their own representation', async () => {
    for (const as of [TOM, UMA, MARA, OLGA, VICTOR]) {
      const listed = (await get(EITHER, as)).json.map(({ id }: { id: number }) => id)
      for (const [name, id] of ids) {
        const { status, json } = await api.get(`/artifacts/${id}`, { as })
        const isHis =
          status === 200 &&
          [json.submitted_by, ...json.assignees.map((each: { id: number }) => each.id)].includes(as.id)
        expect(listed.includes(id), `${as.login}: ${name}`).toBe(isHis && json.is_open)
      }
    }
  })

  test('shows what is needed to find each artifact', async () => {
    const { json } = await get({ assigned_to: true }, UMA)
    const id = ids.get('made by Tom for Tom and Uma')
    expect(json).toEqual([
      {
        id,
        uri: `artifacts/${id}`,
        html_url: `/artifacts/${id}`,
        title: 'made by Tom for Tom and Uma',
        xref: `job #${id}`,
        tracker: {
          id: jobs.id,
          uri: `trackers/${jobs.id}`,
          label: 'Jobs',
          color_name: expect.any(String),
          project: expect.objectContaining({ label: 'Orchard' }),
          cannot_create_reasons: null,
        },
        status: { value: 'Open', color: null, progress: 0 },
        priority: null,
        due: null,
        last_modified_date: expect.any(String),
      },
    ])
    const { text } = await api.get('/users/self/artifacts?query={"assigned_to":true}', {
      as: UMA,
      headers: { accept: 'application/xml' },
    })
    expect(text).toContain(`<item><id>${id}</id>`)
    expect((await get({ assigned_to: true }, UMA, '&fields=title')).json).toEqual([
      { id, uri: `artifacts/${id}`, title: 'made by Tom for Tom and Uma' },
    ])
  })

  test('has status, priority and due date, if the caller may read them', async () => {
    const veiled = (name: string) => ({
      ...CHORES,
      elements: CHORES.elements.map((each) => (each.name === name ? { ...each, ...FOR_ADMINS } : each)),
    })
    const { elements } = CHORES
    const timed = { ...CHORES, elements: elements.filter(({ name }) => name !== 'due') }
    const planned = {
      ...CHORES,
      elements: [...elements, field('begin', 'date'), field('end', 'date')],
      semantics: { ...CHORES.semantics, timeframe: { start: 'begin', end: 'end' } },
    }
    const values = {
      status: 'Begun',
      priority: 'Low',
      due: '2026-03-05',
      deadline: '2026-03-04T10:30:00+00:00',
      worker: { value: ['uma'] },
    }
    let count = 0
    const made = async (definition: object, more: object = {}): Promise<Response['json']> => {
      count += 1
      const { id } = await makeTestTracker(api, { ...definition, label: `Chores ${count}`, item_name: `chore${count}` })
      await make(api, MARA, id, 'chore', { ...values, ...more })
      const { json } = await get({ assigned_to: true }, UMA)
      return json[0]
    }
    const status = { value: 'Begun', color: 'deep-blue', progress: 1 / 3 }
    const priority = { value: 'Low', color: null }
    const due = { value: expect.stringMatching(/^2026-03-05T00:00:00/), is_time_displayed: false }
    expect(await made(CHORES)).toMatchObject({ status, priority, due })
    expect(await made(veiled('priority'))).toMatchObject({ status, priority: null, due })
    // Another date does not stand in for the one that is hidden.
    expect(await made(veiled('due'))).toMatchObject({ status, priority, due: null })
    const atHalfPastTen = { value: '2026-03-04T10:30:00+00:00', is_time_displayed: true }
    expect(await made(timed, { due: undefined })).toMatchObject({ due: atHalfPastTen })
    expect(await made(planned)).toMatchObject({ due: null })
    expect(await made(planned, { end: '2026-03-06' })).toMatchObject({
      due: { value: expect.stringMatching(/^2026-03-06/) },
    })
    expect(
      await made(
        {
          ...NOTES,
          elements: [...NOTES.elements, field('worker', 'msb', people)],
          semantics: { contributor: 'worker' },
        },
        {
          status: undefined,
          priority: undefined,
          due: undefined,
          deadline: undefined,
        },
      ),
    ).toMatchObject({ status: null, priority: null, due: null })
  })

  test('has pages that continue after the previous one', async () => {
    const whole = await get(EITHER, TOM)
    expect(whole.headers).toMatchObject({ 'x-pagination-limit': '250', 'x-pagination-limit-max': '250' })
    const all = whole.json.map(({ id }: { id: number }) => id)
    for (let limit = 1; limit <= all.length; limit++) {
      const walked: number[] = []
      const path = `/users/self/artifacts?limit=${limit}&query=${encodeURIComponent(JSON.stringify(EITHER))}`
      for (let next: string | undefined = path; next !== undefined; ) {
        const page: Response = await api.get(next, { as: TOM })
        expect(page.headers['x-pagination-size']).toBe(String(all.length))
        walked.push(...page.json.map(({ id }: { id: number }) => id))
        next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
      }
      expect(walked).toEqual(all)
      const offset = await get(EITHER, TOM, `&limit=${limit}&offset=1`)
      expect(offset.json.map(({ id }: { id: number }) => id)).toEqual(all.slice(1, 1 + limit))
    }
  })

  test('reflects each change at once', async () => {
    const id = ids.get('made by Tom')
    const set = (values_by_field: object) => api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field } })
    clock.advance(1000)
    await set({ status: 'Closed' })
    expect(await titlesOf({ submitted_by: true }, TOM)).not.toContain('made by Tom')
    clock.advance(1000)
    await set({ status: 'Open', worker: { value: ['uma'] } })
    expect((await titlesOf({ submitted_by: true }, TOM))[0]).toBe('made by Tom')
    expect(await titlesOf(EITHER, UMA)).toContain('made by Tom')
  })
})

describe('is refused', () => {
  test('to every other account', async () => {
    expect(await get(EITHER, TOM, '', UMA.id)).toMatchObject(refused(403, 'permission_denied'))
    expect(await get(EITHER, ADA, '', TOM.id)).toMatchObject(refused(403, 'permission_denied'))
    expect(await get(EITHER, TOM, '', PIA.id)).toMatchObject(refused(404, 'not_found'))
    expect(await get(EITHER)).toMatchObject(refused(401, 'authentication_required'))
    expect((await get(EITHER, SAM)).status).toBe(403)
    expect((await get(EITHER, TOM, '', TOM.id)).json).toEqual((await get(EITHER, TOM)).json)
  })

  test.each([
    [{}, 'query_malformed'],
    [{ submitted_by: false, assigned_to: false }, 'query_malformed'],
    [[], 'query_malformed'],
    ['submitted_by', 'query_malformed'],
    [{ mine: true }, 'query_unknown_key'],
    [{ submitted_by: 'sometimes' }, 'parameter_invalid'],
  ])('for the query %j', async (query, reason) => {
    expect(await get(query, TOM)).toMatchObject(refused(400, reason))
  })

  test('without a query, and for pages that are too long or empty', async () => {
    expect(await api.get('/users/self/artifacts', { as: TOM })).toMatchObject(refused(400, 'parameter_required'))
    for (const limit of [0, 251])
      expect(await get(EITHER, TOM, `&limit=${limit}`)).toMatchObject(refused(400, 'parameter_out_of_range'))
  })
})
