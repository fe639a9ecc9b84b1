import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import {
  definitionsOf,
  elementNamed,
  statusBind,
  storeValues,
  removeElements,
} from '../../../test/fixtures/definitions.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS, LEADS, MARSH_BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'
import { wholeDefinition } from '../../../test/fixtures/whole-definition.ts'

const { api, context, clock, startAnother } = await startWorld()
const another = await startAnother()

const path = `/trackers/${BUGS}/definition`
const { get, put, changed } = definitionsOf(api)

const idOf = async (name: string): Promise<number | undefined> => {
  const tracker = await context.trackers.now(context.db, BUGS)
  return tracker?.elements.find((each) => each.name === name)?.id
}

describe('PUT /trackers/{id}/definition', () => {
  test('changes nothing for an unchanged document, in JSON and XML', async () => {
    const { json, headers } = await api.get(path, { as: MARA })
    const again = await put(json)
    const xml = await api.get(`${path}.xml`, { as: MARA })
    const fromXml = await put(xml.text.replaceAll('response>', 'request>'), '', {
      headers: { 'content-type': 'application/xml' },
    })

    expect(again).toMatchObject({ status: 200, json, headers: { etag: headers.etag } })
    expect(fromXml).toMatchObject({ status: 200, json, headers: { etag: headers.etag } })
    expect(await audited(context, 'tracker.definition')).toEqual([])
    expect(await recordedEvents(context, 'tracker.changed')).toEqual([])
  })

  test('changes nothing for an unchanged full document, in JSON and XML', async () => {
    const { json: made } = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: wholeDefinition() })
    const { json, headers } = await api.get(`/trackers/${made.id}/definition`, { as: MARA })
    const { text } = await api.get(`/trackers/${made.id}/definition.xml`, { as: MARA })
    const xml = { 'content-type': 'application/xml' }

    expect(await put(json, '', { id: made.id })).toMatchObject({ status: 200, headers: { etag: headers.etag } })
    expect(await put(text, '', { id: made.id, headers: xml })).toMatchObject({
      status: 200,
      json,
      headers: { etag: headers.etag },
    })
  })

  test('creates a version, and records who changed what and when', async () => {
    clock.advance(60_000)
    const { status, headers, json } = await put(await changed((document) => void (document.label = 'Beetles')), '', {
      as: UMA,
    })

    expect(status).toBe(200)
    expect(json.label).toBe('Beetles')
    expect((await api.get(path, { as: MARA })).headers.etag).toBe(headers.etag)
    expect((await another.api.get(`/trackers/${BUGS}`)).json.label).toBe('Beetles')
    const versions = await context.db
      .selectFrom('tracker_version')
      .select(['version', 'changed_by', 'changed_on', 'definition'])
      .where('tracker_id', '=', BUGS)
      .orderBy('version')
      .execute()
    expect(versions).toMatchObject([
      { version: 1, changed_by: MARA.id, definition: { label: 'Bugs' } },
      { version: 2, changed_by: UMA.id, changed_on: clock.now(), definition: { label: 'Beetles' } },
    ])
    expect(await audited(context, 'tracker.definition')).toMatchObject([
      {
        actor_id: UMA.id,
        object: `trackers/${BUGS}`,
        project_id: ORCHARD,
        before: { label: 'Bugs' },
        after: { label: 'Beetles' },
      },
    ])
    expect(await recordedEvents(context, 'tracker.changed')).toMatchObject([
      { object: `trackers/${BUGS}`, payload: { tracker_id: BUGS, version: 2, changed: ['label'] } },
    ])
    expect(await recordedEvents(context, 'rights.changed')).toEqual([])
  })

  test('changes permissions together with the grants of tracker and fields, at once in every process', async () => {
    const epoch = () =>
      context.db.selectFrom('tracker').select('rights_epoch').where('id', '=', BUGS).executeTakeFirstOrThrow()
    const { rights_epoch } = await epoch()
    expect((await another.api.get(`/trackers/${BUGS}`, { as: TOM })).status).toBe(200)

    await put(await changed((document) => void (document.permissions = { full: ['leads'], admin: [] })))

    expect((await another.api.get(`/trackers/${BUGS}`, { as: TOM })).status).toBe(404)
    expect((await another.api.get(path, { as: GUS })).status).toBe(403)
    expect(await epoch()).toEqual({ rights_epoch: rights_epoch + 1 })
    const grants = await context.db
      .selectFrom('tracker_grant')
      .select(['kind', 'group_id'])
      .where('tracker_id', '=', BUGS)
      .execute()
    expect(grants).toEqual([{ kind: 'full', group_id: LEADS }])

    await put(
      await changed((document) => {
        elementNamed(document, 'notes').permissions = { read: ['@anonymous'], submit: [], update: [] }
      }),
    )
    expect(await epoch()).toEqual({ rights_epoch: rights_epoch + 2 })
    expect(await recordedEvents(context, 'rights.changed')).toMatchObject([
      { project_id: ORCHARD, payload: { tracker_id: BUGS } },
      { project_id: ORCHARD, payload: { tracker_id: BUGS } },
    ])
  })

  test('honours If-Match', async () => {
    const { headers } = await api.get(path, { as: MARA })
    const match = { 'if-match': String(headers.etag) }
    const document = await changed((one) => void (one.label = 'Beetles'))

    expect((await put(document, '', { headers: match })).status).toBe(200)
    const stale = await put({ ...document, label: 'Moths' }, '', { headers: match })
    expect(stale.status).toBe(412)
    expect(stale.json.error).toMatchObject({
      reason: 'version_mismatch',
      details: { current_etag: expect.any(String) },
    })
    expect((await get()).label).toBe('Beetles')
  })

  test('lets one of two writers with the same base version succeed', async () => {
    const { headers } = await api.get(path, { as: MARA })
    const match = { 'if-match': String(headers.etag) }
    const documents = [await changed((one) => void (one.label = 'A')), await changed((one) => void (one.label = 'B'))]
    const answers = await Promise.all([
      api.put(path, { as: MARA, body: documents[0], headers: match }),
      another.api.put(path, { as: ADA, body: documents[1], headers: match }),
    ])

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412])
  })

  test('matches elements by name and values by key: ids never change, order and parent may', async () => {
    const document = await changed((one) => {
      statusBind(one).values?.reverse()
      statusBind(one).values?.push({ label: 'Won’t fix' })
      const [main] = one.elements
      main?.content?.reverse()
      elementNamed(one, 'summary').label = 'What'
      one.elements = [...one.elements, { name: 'weather', type: 'string', label: 'Weather' }]
    })
    const { status, json } = await put(document)
    const { json: tracker } = await api.get(`/trackers/${BUGS}`, { as: MARA })
    const field = (name: string) => tracker.fields.find((each: { name: string }) => each.name === name)

    expect(status).toBe(200)
    expect(statusBind(json).values?.map(({ key }) => key)).toEqual(['rotten', 'fixed', 'open', 'won_t_fix'])
    expect(field('summary')).toMatchObject({ field_id: BUG.summary, label: 'What' })
    expect(
      field('status')
        .values.map(({ id }: { id: number }) => id)
        .slice(0, 3),
    ).toEqual([BUG_STATUS.rotten, BUG_STATUS.fixed, BUG_STATUS.open])
    expect(field('weather').field_id).toBeGreaterThan(8000)
    expect(tracker.structure[0].content.at(-1).id).toBe(BUG.summary)
  })

  test('renames with `renamed_from`, and repeating the request changes nothing', async () => {
    const document = await changed((one) => {
      Object.assign(elementNamed(one, 'points'), { name: 'effort', renamed_from: 'points' })
      Object.assign(statusBind(one).values?.[1] ?? {}, { key: 'done', renamed_from: 'fixed' })
    })
    const first = await put(document)
    const second = await put(document)

    expect(first.status).toBe(200)
    expect(await idOf('effort')).toBe(BUG.points)
    expect(await idOf('points')).toBeUndefined()
    expect(statusBind(first.json).values?.map(({ key }) => key)).toEqual(['open', 'done', 'rotten'])
    expect(second.headers.etag).toBe(first.headers.etag)
  })

  test('unuses omitted fields, hides omitted values, and takes both back into use', async () => {
    const document = await changed((one) => {
      removeElements(one, 'points')
      statusBind(one).values = statusBind(one).values?.filter(({ key }) => key !== 'fixed') ?? []
    })
    const { json } = await put(document)

    expect(json.unused_elements.map(({ name }: { name: string }) => name)).toEqual(['old', 'points'])
    expect(statusBind(json).values).toMatchObject([{ key: 'open' }, { key: 'rotten' }, { key: 'fixed', hidden: true }])
    const back = await changed((one) => {
      one.elements.push({ name: 'points', type: 'int', label: 'Points' })
      one.unused_elements = []
    })
    const { json: again } = await put(back)
    expect(await idOf('points')).toBe(BUG.points)
    expect(again.unused_elements.map(({ name }: { name: string }) => name)).toEqual(['old'])
  })

  test('prunes only parts that were never used', async () => {
    await storeValues(context, { [BUG.points]: 5, [BUG.status]: [BUG_STATUS.fixed] })
    const document = await changed((one) => {
      removeElements(one, 'points', 'due')
      one.unused_elements = []
      statusBind(one).values = statusBind(one).values?.filter(({ key }) => key === 'open') ?? []
    })
    const plan = await put(document, 'prune=true&dry_run=true')
    const { status, json } = await put(document, 'prune=true')

    expect(status).toBe(200)
    expect(json.unused_elements.map(({ name }: { name: string }) => name)).toEqual(['points'])
    expect(await idOf('due')).toBeUndefined()
    expect(await idOf('old')).toBeUndefined()
    expect(statusBind(json).values?.map(({ key }) => key)).toEqual(['open', 'fixed'])
    const ops = plan.json.changes.map(({ op, from }: { op: string; from: { name?: string; key?: string } }) => [
      op,
      from.name ?? from.key,
    ])
    expect(ops).toEqual(
      expect.arrayContaining([
        ['delete', 'due'],
        ['delete', 'old'],
        ['delete', 'rotten'],
        ['unuse', 'points'],
        ['hide', 'fixed'],
      ]),
    )
  })

  test('refuses to omit a field that the definition still uses', async () => {
    const { status, json } = await put(await changed((one) => removeElements(one, 'summary')))

    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      reason: 'rule_violated',
      details: { cause: 'field_in_use', path: '/semantics/title' },
    })
  })

  test('refuses to omit a field that a trigger of another tracker uses', async () => {
    const elements = [
      { name: 'mood', type: 'sb', label: 'Mood', bind: { type: 'static', values: [{ label: 'Good' }] } },
    ]
    const when = [{ tracker: 'bug', field: 'status', value: 'fixed' }]
    const triggers = [{ target: { field: 'mood', value: 'good' }, condition: 'all_of', when }]
    await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: { label: 'Epics', item_name: 'epic', elements, triggers },
    })
    const { status, json } = await put(
      await changed((one) => {
        removeElements(one, 'status')
        one.semantics = {}
        one.workflow = null
      }),
    )

    expect(status).toBe(400)
    expect(json.error.details).toMatchObject({
      cause: 'field_in_use',
      all: [{ path: '/elements', params: { field_id: BUG.status } }],
    })
  })

  const turned = async (name: string, type: string) =>
    put(
      await changed((one) => {
        Object.assign(elementNamed(one, name), { type, properties: {} })
        one.semantics = {}
      }),
    )

  test.each([
    ['points', 'float'],
    ['summary', 'text'],
  ])('turns %s into %s', async (name, type) => {
    expect((await turned(name, type)).status).toBe(200)
  })

  test.each([
    ['points', 'string'],
    ['assigned_to', 'sb'],
  ])('does not turn %s into %s', async (name, type) => {
    const { status, json } = await turned(name, type)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      reason: 'rule_violated',
      details: { cause: 'type_change', path: expect.stringMatching(/type$/) },
    })
  })

  test('updates the fields of other trackers that share a field of this one', async () => {
    const body = {
      label: 'Epics',
      item_name: 'epic',
      elements: [{ name: 'theirs', shared_from: 'bug.status', label: 'Theirs' }],
    }
    const { json: epic } = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body })
    const { status } = await put(
      await changed((one) => {
        statusBind(one).values?.push({ key: 'late', label: 'Late' })
      }),
    )
    const { json } = await api.get(`/trackers/${epic.id}`, { as: MARA })

    expect(status).toBe(200)
    expect(json.fields[0]).toMatchObject({ type: 'sb', name: 'theirs' })
    expect(json.fields[0].values.map(({ label }: { label: string }) => label)).toEqual([
      'Open',
      'Fixed',
      'Rotten',
      'Late',
    ])
    expect((await recordedEvents(context, 'tracker.changed')).map(({ object }) => object)).toEqual([
      `trackers/${BUGS}`,
      `trackers/${epic.id}`,
    ])
    // Its values are shared, so none of them is deleted.
    const pruned = await put(
      await changed((one) => {
        statusBind(one).values = statusBind(one).values?.slice(0, 3) ?? []
      }),
      'prune=true',
    )
    expect(statusBind(pruned.json).values?.at(-1)).toMatchObject({ key: 'late', hidden: true })
  })

  test('prevents hierarchy cycles under concurrent writes', async () => {
    const make = (item_name: string) =>
      api
        .post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: { label: item_name, item_name } })
        .then(({ json }) => json.id)
    const [first, second] = [await make('one'), await make('other')]
    const under = async (id: number, parent: string, by = api) =>
      by.put(`/trackers/${id}/definition`, { as: MARA, body: { ...(await get(id)), hierarchy: { parent } } })
    const answers = await Promise.all([under(first, 'other'), under(second, 'one', another.api)])

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.json.error.details.all).toMatchObject([
      { path: '/hierarchy/parent', reason: 'parameter_conflict' },
    ])
    expect((await under(first, 'one')).json.error.details.all).toMatchObject([{ reason: 'reference_unknown' }])
  })

  test('reports every problem at once, and changes nothing', async () => {
    const { status, json } = await put({
      ...(await get()),
      label: '',
      item_name: 'secret',
      mood: 1,
      semantics: { title: 'nothing' },
    })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'parameter_invalid', details: { cause: 'definition' } })
    expect(json.error.details.all).toMatchObject([
      { path: '/mood', reason: 'member_unknown' },
      { path: '/semantics/title', reason: 'reference_unknown' },
      { path: '/label', reason: 'parameter_required' },
      { path: '/item_name', reason: 'name_taken' },
    ])
    expect((await get()).label).toBe('Bugs')
  })

  test.each([
    { who: TOM, id: BUGS, status: 403, cause: 'not_tracker_admin' },
    { who: ADA, id: MARSH_BUGS, status: 400, cause: 'project_not_active' },
  ])('refuses $who.login at $id with $cause', async ({ who, id, status, cause }) => {
    const answer = await put({ label: 'X', item_name: 'x' }, '', { as: who, id })

    expect(answer.status).toBe(status)
    expect(answer.json.error.details.cause).toBe(cause)
  })
})
