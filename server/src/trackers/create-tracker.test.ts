import { describe, expect, test } from 'vitest'
import { audited } from '../../test/harness/audited.ts'
import { recordedEvents } from '../../test/harness/recorded-events.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, TOM, UMA, VICTOR } from '../../test/fixtures/people.ts'
import { BUGS, LEDGER, MARSH, NURSERY, ORCHARD, SAFE, VAULT } from '../../test/fixtures/seed-ids.ts'
import { wholeDefinition } from '../../test/fixtures/whole-definition.ts'

const { api, context, startAnother } = await startWorld()
const another = await startAnother()

const create = (body: unknown, options: { as?: typeof MARA; query?: string; project?: number } = {}) =>
  api.post(`/projects/${options.project ?? ORCHARD}/trackers?${options.query ?? ''}`, { as: options.as ?? MARA, body })

describe('POST /projects/{id}/trackers', () => {
  test('creates a tracker from a definition and returns it in full', async () => {
    const { status, headers, json } = await create(wholeDefinition())

    expect(status).toBe(201)
    expect(headers['location']).toBe(`https://waypost.example/api/trackers/${json.id}`)
    expect(headers.etag).toMatch(/^"[\w-]+\.[\w-]+"$/)
    expect(json).toMatchObject({
      uri: `trackers/${json.id}`,
      label: 'Deliveries',
      item_name: 'delivery',
      color_name: 'deep-blue',
      project: { id: ORCHARD },
    })
    const names = json.fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['fs_main', 'summary', 'status', 'links']))
    expect(names).not.toContain('old')
    expect(json.semantics).toMatchObject({ title: { field_id: expect.any(Number) } })
    expect(json.workflow.transitions).toHaveLength(4)
  })

  test('can be read back with the same ETag by everyone who has access', async () => {
    const { json, headers } = await create(wholeDefinition())
    const got = await api.get(`/trackers/${json.id}/definition`, { as: UMA })

    expect(got.status).toBe(200)
    expect(got.headers.etag?.split('.')[0]).toBe(headers.etag?.split('.')[0])
    expect(got.json).toMatchObject({
      format: 'waypost-tracker/1',
      label: 'Deliveries',
      permissions: { admin: ['leads'] },
    })
    expect((await another.api.get(`/trackers/${json.id}/definition`, { as: TOM })).status).toBe(403)
  })

  test('stores the definition of the first version, publishes an event, and writes the audit log', async () => {
    const { json } = await create(wholeDefinition())
    const versions = await context.db
      .selectFrom('tracker_version')
      .select(['version', 'changed_by', 'definition'])
      .where('tracker_id', '=', json.id)
      .execute()

    expect(versions).toMatchObject([{ version: 1, changed_by: MARA.id, definition: { item_name: 'delivery' } }])
    expect(await recordedEvents(context, 'tracker.created')).toMatchObject([
      { object: `trackers/${json.id}`, project_id: ORCHARD, payload: { tracker_id: json.id, version: 1 } },
    ])
    expect(await audited(context, 'tracker.create')).toMatchObject([
      { actor_id: MARA.id, object: `trackers/${json.id}`, project_id: ORCHARD, after: { item_name: 'delivery' } },
    ])
  })

  test('accepts XML like JSON', async () => {
    const body = `<request><label>Carts</label><item_name>cart</item_name><elements>
      <item><name>fs</name><type>fieldset</type><label>Form</label><content>
        <item><name>title</name><type>string</type><label>Title</label><required>true</required>
          <properties><maxchars>40</maxchars></properties></item>
        <item><name>state</name><type>sb</type><label>State</label><bind><type>static</type><values>
          <item><label>Full</label></item><item><label>Empty</label></item></values>
          <default><item>full</item></default></bind></item>
      </content></item></elements>
      <semantics><title>title</title></semantics></request>`
    const { status, text } = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
    })

    expect(status).toBe(201)
    expect(text).toContain('<item_name>cart</item_name>')
    const [, id] = /<id>(\d+)<\/id>/.exec(text) ?? []
    const { json } = await api.get(`/trackers/${id}/definition`, { as: MARA })
    expect(json.elements[0].content).toMatchObject([
      { name: 'title', required: true, properties: { maxchars: 40 } },
      { name: 'state', bind: { values: [{ key: 'full' }, { key: 'empty' }], default: ['full'] } },
    ])
  })

  test('reports every problem at once, each with its path, in JSON and XML', async () => {
    const definition = {
      item_name: 'bug',
      elements: [{ name: 'x', type: 'nonsense', label: 'X', permissions: { read: ['gods'] } }],
      permissions: { full: ['gods'] },
      reports: [{ nothing: 1 }],
    }
    const { status, json } = await create(definition)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'parameter_invalid', details: { cause: 'definition' } })
    expect(json.error.details.all.map(({ path, reason }: Record<string, string>) => [path, reason])).toEqual([
      ['/reports/0/label', 'parameter_required'],
      ['/reports/0/nothing', 'member_unknown'],
    ])
    const { reports: _, ...readable } = definition
    const { json: further } = await create(readable)
    expect(further.error.details.all.map(({ path, reason }: Record<string, string>) => [path, reason])).toEqual([
      ['/elements/0/type', 'parameter_not_allowed'],
      ['/permissions/full/0', 'reference_unknown'],
      ['/label', 'parameter_required'],
      ['/item_name', 'name_taken'],
    ])
    expect(further.error.details.all[1].message).toContain('/permissions/full/0')
    const xml = await api.post(`/projects/${ORCHARD}/trackers.xml`, { as: MARA, body: readable })
    expect(xml.text).toContain('<path>/permissions/full/0</path>')
  })

  test.each([
    [{ label: 'X', item_name: 'BUG' }, 'name_taken'],
    [{ label: 'X', item_name: 'b u g' }, 'name_invalid'],
  ])('refuses an invalid name with its own reason: %j', async (body, reason) => {
    const { status, json } = await create(body)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path: '/item_name', all: [{ path: '/item_name', reason }] } })
  })

  test.each(['7', '[]', '"text"', 'null', '{"elements":7}', '{"elements":[7]}'])('refuses %s', async (body) => {
    const { status, json } = await create(body)

    expect(status).toBe(400)
    expect(json.error.reason).toMatch(/^parameter_invalid|body_malformed$/)
  })

  test('lets one of two concurrent requests with the same name succeed', async () => {
    const answers = await Promise.all(
      [api, another.api].map((each) =>
        each.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: { label: 'X', item_name: 'once' } }),
      ),
    )

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400])
    expect(answers.find(({ status }) => status === 400)?.json.error.reason).toBe('name_taken')
  })

  test('writes nothing in a dry run, and reports the planned changes', async () => {
    const { status, json } = await create(wholeDefinition(), { query: 'dry_run=true' })

    expect(status).toBe(200)
    expect(json.dry_run).toMatchObject({
      status: 201,
      would_answer: { id: null, uri: null, label: 'Deliveries' },
      changes: [{ object: 'trackers', op: 'create' }],
    })
    const { json: list } = await api.get(`/projects/${ORCHARD}/trackers?representation=minimal`, { as: MARA })
    expect(list.map(({ label }: { label: string }) => label)).not.toContain('Deliveries')
    expect(await recordedEvents(context, 'tracker.created')).toEqual([])
  })

  test('resolves names of other trackers, qualified by the project if it is another one', async () => {
    const { json: task } = await create({
      label: 'Tasks',
      item_name: 'task',
      hierarchy: { parent: 'bug' },
      semantics: { timeframe: { implied_from: 'orchard/bug' } },
    })
    const { json } = await api.get(`/trackers/${task.id}/definition`, { as: MARA })

    expect(task.parent).toMatchObject({ id: BUGS, color: 'fiesta-red' })
    expect(json).toMatchObject({ hierarchy: { parent: 'bug' }, semantics: { timeframe: { implied_from: 'bug' } } })
  })

  test('does not reveal trackers that the caller may not see', async () => {
    const body = { label: 'X', item_name: 'x', semantics: { timeframe: { implied_from: 'vault/secret' } } }
    const hidden = await create(body)
    const absent = await create({ ...body, semantics: { timeframe: { implied_from: 'vault/nothing' } } })

    expect(hidden.json.error.details.all[0]).toMatchObject({ reason: 'reference_unknown' })
    expect(absent.json.error.details).toEqual(hidden.json.error.details)
    expect((await create(body, { as: ADA })).status).toBe(201)
  })

  test('refuses to create a tracker in a suspended project', async () => {
    const { status, json } = await create({ label: 'X', item_name: 'x' }, { as: ADA, project: MARSH })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'project_not_active' } })
  })

  test('requires an administrator of the project', async () => {
    const { status, json } = await create({ label: 'X', item_name: 'x' }, { as: UMA })

    expect(status).toBe(403)
    expect(json.error.details).toMatchObject({ cause: 'not_project_admin', who_may: ['project_admin'] })
    expect(await audited(context, 'tracker.create', 'refused')).toMatchObject([{ reason: 'permission_denied' }])
  })
})

describe('POST /projects/{id}/trackers with copy_from', () => {
  test('creates a copy of another tracker with new ids', async () => {
    const { status, json } = await create({ copy_from: { id: BUGS }, label: 'Moths', item_name: 'moth' })
    const of = (id: number) => api.get(`/trackers/${id}/definition`, { as: MARA }).then((answer) => answer.json)

    expect(status).toBe(201)
    expect(await of(json.id)).toEqual({ ...(await of(BUGS)), label: 'Moths', item_name: 'moth' })
    expect(json.fields.some(({ field_id }: { field_id: number }) => field_id < 8000)).toBe(false)
  })

  test('grants to administrators the permissions of groups that the target project does not have', async () => {
    const { json } = await create({ copy_from: { id: BUGS } }, { as: MARA, project: NURSERY })
    const copy = await api.get(`/trackers/${json.id}/definition`, { as: MARA })

    expect(copy.json).toMatchObject({ item_name: 'bug', permissions: { full: ['@anonymous'], admin: ['@admins'] } })
    const team = copy.json.elements[0].content.find(({ name }: { name: string }) => name === 'team')
    expect(team.bind.groups).toEqual(['@members'])
  })

  test.each([
    { who: MARA, id: SAFE, what: 'a tracker that the caller may not see' },
    { who: MARA, id: 999_999, what: 'none at all' },
  ])('does not find $what', async ({ who, id }) => {
    const { status, json } = await create({ copy_from: { id } }, { as: who })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'reference_unknown', details: { path: '/copy_from/id' } })
  })

  test('copies only trackers that the caller administers', async () => {
    const { status, json } = await create({ copy_from: { id: BUGS } }, { as: VICTOR, project: VAULT })

    expect(status).toBe(403)
    expect(json.error.details.cause).toBe('not_tracker_admin')
  })

  test('accepts only a label and a unique name beside copy_from', async () => {
    const beside = await create({ copy_from: { id: LEDGER }, elements: [] })
    const same = await create({ copy_from: { id: LEDGER } })

    expect(beside.json.error.details.all).toMatchObject([{ path: '/elements', reason: 'member_unknown' }])
    expect(same.json.error).toMatchObject({ reason: 'name_taken', details: { path: '/item_name' } })
  })
})
