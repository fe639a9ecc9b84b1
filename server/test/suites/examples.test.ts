import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { uploadInChunks } from '../fixtures/attachments.ts'
import { startWorld } from '../harness/start-world.ts'
import {
  ROCKET_ALICE,
  ROCKET_BOB,
  ROCKET_BUGS,
  ROCKET_EPICS,
  ROCKET,
  seedRocket,
  ROCKET_TASKS,
} from './examples/rocket.ts'
import { ADA, type TestPerson } from '../fixtures/people.ts'
import type { Response } from '../harness/client.ts'

/**
 * The example documents of the contract, produced by this server from the definitions and requests of these tests. Ids
 * differ between runs, so each is mapped to that of the documents.
 */
const { api, clock, context } = await startWorld({ seedOnce: true })

const document = (name: string) => readFileSync(new URL(`examples/${name}`, import.meta.url), 'utf8')
const json = (name: string) => JSON.parse(document(name))

/** Ids of this run -> ids of the documents. */
const ids = new Map<string, string>()
const parts = new Map<number, number>()
const artifacts = new Map<number, number>()
/** The id in this run of a field, a list value or a tracker of the documents. */
const mine = (id: number) => parts.get(id) ?? id
const artifact = (id: number) => artifacts.get(id) ?? mine(id)

/** Replaces ids of this run; they are far from each other and from all small numbers. */
function normalised<T>(given: T): T {
  return JSON.parse(JSON.stringify(given).replace(/(?<![\d.-])\d{5}(?!\d)/g, (id) => ids.get(id) ?? id))
}

/** Replaces ids of the documents for a request of this run. */
function addressed<T>(given: T): T {
  return JSON.parse(
    JSON.stringify(given).replace(
      /"(field_id|id)": ?(\d+)/g,
      (_, name: string, id: string) => `"${name}":${name === 'id' ? artifact(Number(id)) : mine(Number(id))}`,
    ),
  )
}

/** Uploads a new file for each request that names one. */
async function withFile<T>(given: T): Promise<T> {
  const file = await uploadInChunks(api, ROCKET_ALICE, { name: 'valve.log' })
  return JSON.parse(JSON.stringify(given).replace(/(?<!\d)78(?!\d)/g, String(file)))
}

const DETAILS = () => `Engine stops after **12 s**, see art #${artifact(15)}.`

async function make(body: object, as: TestPerson = ROCKET_ALICE): Promise<number> {
  const answer = await api.post('/artifacts', { as, body })
  return made(answer).json.id
}

function made(answer: Response): Response {
  if (answer.status >= 300) throw new Error(answer.text)
  return answer
}

let created: Response

beforeAll(async () => {
  await seedRocket(context.db)
  clock.set('2026-02-20T09:00:00Z')
  const tracker = async (definition: object) => {
    const answer = await api.post(`/projects/${ROCKET}/trackers`, { as: ADA, body: definition })
    return made(answer).json
  }
  const epics = await tracker(ROCKET_EPICS)
  const tasks = await tracker(ROCKET_TASKS)
  const bugs = await tracker(ROCKET_BUGS)
  remember({ 9: epics.id, 8: tasks.id, 7: bugs.id })
  for (const theirs of json('tracker.json').fields) {
    const own = bugs.fields.find(({ name }: { name: string }) => name === theirs.name)
    remember({ [theirs.field_id]: own.field_id })
    if (Array.isArray(theirs.values))
      for (const [at, { id }] of theirs.values.entries())
        if (own.values[at] && own.values[at].id !== id) remember({ [id]: own.values[at].id })
  }
  for (const [at, { id }] of json('tracker.json').workflow.transitions.entries())
    remember({ [id]: bugs.workflow.transitions[at].id })

  const titled = (id: number) => ({ tracker: { id }, values_by_field: { title: { value: 'Something' } } })
  rememberArtifacts({
    88: await make(titled(epics.id)),
    16: await make(titled(tasks.id)),
    90: await make(titled(tasks.id)),
  })
  const task = { title: { value: 'Fix the valve' }, remaining: { value: 5 } }
  rememberArtifacts({ 15: await make({ tracker: { id: tasks.id }, values_by_field: task }) })
  const bug = { summary: { value: 'Engine stops at start' }, environments: { value: ['Test bench'] } }
  const another = { tracker: { id: bugs.id }, values_by_field: bug }
  await make(another)
  await make(another)

  clock.set('2026-03-01T09:00:00Z')
  rememberArtifacts({ 12: await make(another) })
  clock.set('2026-03-02T14:31:07Z')
  const files = [
    await uploadInChunks(api, ROCKET_BOB, { name: 'engine.png', type: 'image/png', content: Buffer.alloc(2_621_440) }),
    await uploadInChunks(api, ROCKET_BOB, { name: 'core.log', content: Buffer.alloc(2_097_155) }),
  ]
  remember({ 41: files[0] ?? 0, 77: files[1] ?? 0 })
  const put = await api.put(`/artifacts/${artifact(12)}`, {
    as: ROCKET_BOB,
    body: {
      values_by_field: {
        details: { value: DETAILS(), format: 'commonmark' },
        status: { value: 'In progress' },
        assigned_to: { value: 'bob' },
        severity: { value: 'High' },
        environments: { value: ['Test bench', 'Launch pad'] },
        tags: { value: ['engine', 'cold start'] },
        team: { value: 'team_red' },
        points: { value: 5 },
        due: { value: '2026-03-20' },
        started: { value: '2026-03-02 14:30' },
        attachment: { value: files },
        links: { links: [{ id: artifact(15), type: '_is_child' }], parent: { id: artifact(88) } },
        restricted: { value: { granted_groups: [`${ROCKET}_3`], is_used_by_default: true } },
      },
      comment: { body: 'Seen on *two* benches.', format: 'commonmark' },
    },
  })
  // In the documents a version of Bob has files of Alice, which Bob could not attach.
  await sql`update file set uploader_id = ${ROCKET_ALICE.id} where id = any(${files}::bigint[])`.execute(context.db)
  const open = made(put).json.values.find(({ type }: { type: string }) => type === 'tbl').bind_value_objects[1].id
  ids.set(String(open).slice(1), '12')
  clock.set('2026-03-03T07:00:00Z')
  await api.put(`/artifacts/${artifact(15)}`, { as: ROCKET_BOB, body: { values_by_field: { remaining: 3 } } })
  clock.set('2026-03-03T08:00:00Z')
  created = await api.post('/artifacts', {
    as: ROCKET_ALICE,
    body: {
      tracker: { id: bugs.id },
      values: addressed([
        { field_id: 102, value: 'Valve sticks' },
        { field_id: 105, bind_value_ids: [102] },
        { field_id: 108, bind_value_ids: [mine(321)] },
      ]),
    },
  })
  rememberArtifacts({ 13: created.json.id })
})

function remember(known: Record<number, number>, where = parts): void {
  for (const [theirs, own] of Object.entries(known)) {
    ids.set(String(own), theirs)
    where.set(Number(theirs), own)
  }
}

function rememberArtifacts(known: Record<number, number>): void {
  remember(known, artifacts)
}

/** The rank differs between runs. */
function withRank(given: unknown, rank: number): unknown {
  return JSON.parse(JSON.stringify(given).replace(/("label":"Rank","value":)\d+/g, `$1${rank}`))
}

describe('the example documents', () => {
  test('tracker.json', async () => {
    const { json: tracker } = await api.get(`/trackers/${mine(7)}`, { as: ROCKET_ALICE })
    // The example has the members of the original; these are additions.
    const added = { rank_version: 0, in_new_dropdown: true, instructions: { submit: '', browse: '' } }
    expect(normalised(tracker)).toEqual({ ...json('tracker.json'), ...added })
  })

  test('artifact-collection.json', async () => {
    const { json: shown, headers } = await api.get(`/artifacts/${artifact(12)}`, { as: ROCKET_ALICE })
    expect(withRank(normalised(shown), 42)).toEqual(json('artifact-collection.json'))
    expect(headers['last-modified']).toBe('Mon, 02 Mar 2026 14:31:07 GMT')
  })

  test('artifact-by-field.json', async () => {
    const { json: shown } = await api.get(`/artifacts/${artifact(12)}?values_format=by_field`, { as: ROCKET_ALICE })
    expect(withRank(normalised(shown), 42)).toEqual(json('artifact-by-field.json'))
  })

  test('changesets.json', async () => {
    const { json: changesets } = await api.get(`/artifacts/${artifact(12)}/changesets?fields=all&order=asc`, {
      as: ROCKET_ALICE,
    })
    remember({ 901: changesets[0].id, 917: changesets[1].id })
    expect(withRank(normalised(changesets), 42)).toEqual(json('changesets.json'))
  })

  test('create-response.json', () => {
    expect(created.status).toBe(201)
    expect(created.headers['location']).toBe(`https://waypost.example/api/artifacts/${artifact(13)}`)
    expect(created.headers['last-modified']).toBe('Tue, 03 Mar 2026 08:00:00 GMT')
    expect(withRank(normalised(created.json), 43)).toEqual(json('create-response.json'))
  })

  test('artifact-get.xml', async () => {
    const { text } = await api.get(`/artifacts/${artifact(12)}`, {
      as: ROCKET_ALICE,
      headers: { accept: 'application/xml' },
    })
    const compact = (xml: string) =>
      xml
        .replace(/<!--.*?-->/gs, '')
        .replace(/>\s+</g, '><')
        .trim()
    const items = (xml: string) =>
      xml.match(/<item><field_id>\d+<\/field_id>.*?(?=<item><field_id>|<\/values><values_by_field>)/gs) ?? []
    const ours = JSON.parse(
      JSON.stringify(normalised({ text })).replace(/o(\d{5})/g, (whole, id: string) => `o${ids.get(id) ?? whole}`),
    ).text
    const [own, theirs] = [compact(ours), compact(document('artifact-get.xml'))]
    for (const item of items(theirs)) expect(items(own)).toContain(item)
    const bare = (xml: string) => items(xml).reduce((rest, item) => rest.replace(item, ''), xml)
    expect(bare(own)).toBe(bare(theirs))
  })

  test.each(['create-request.json', 'create-request-by-field.json'])('%s is accepted', async (name) => {
    const body = await withFile(addressed({ ...json(name), tracker: { id: 7 } }))
    const text = JSON.stringify(body).replace(
      /"bind_value_ids":\[(\d+)(?:,(\d+))?\]/g,
      (_, ...[one, other]: string[]) =>
        `"bind_value_ids":[${[one, other]
          .filter(Boolean)
          .map((id) => mine(Number(id)))
          .join(',')}]`,
    )
    const answer = await api.post('/artifacts', {
      as: ROCKET_ALICE,
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    expect(answer.text).toContain('"id"')
    expect(answer.status).toBe(201)
  })

  test('artifact-post.xml is accepted', async () => {
    const given = document('artifact-post.xml').replace(
      /(<(?:field_id|id|item)>)(\d+)/g,
      (_, tag: string, id: string) => `${tag}${tag === '<id>' ? artifact(Number(id)) : mine(Number(id))}`,
    )
    const body = await withFile(given)
    const headers = { 'content-type': 'application/xml', accept: 'application/json' }
    const answer = await api.post('/artifacts', { as: ROCKET_ALICE, headers, body })
    expect(answer.text).toContain('Valve sticks <cold>')
    expect(answer.status).toBe(201)
  })

  test('error-validation.json, then update-request.json and artifact-put.xml are accepted', async () => {
    const wrong = await api.put(`/artifacts/${artifact(12)}`, {
      as: ROCKET_ALICE,
      body: {
        values: addressed([
          { field_id: 102, value: '' },
          { field_id: 104, bind_value_ids: [mine(301)] },
        ]),
      },
    })
    const expected = json('error-validation.json')
    // `params` are for clients that build their own messages.
    const { params: __, ...second } = normalised(wrong.json).error.details.all[1]
    const { error } = normalised(wrong.json)
    const all = [error.details.all[0], second]
    expect({ ...error, details: { ...error.details, all }, request_id: expected.error.request_id }).toEqual(
      expected.error,
    )

    const update = await withFile(addressed(json('update-request.json')))
    const text = JSON.stringify(update)
      .replace('[303]', `[${mine(303)}]`)
      .replace('[41,77,', `[${mine(41)},${mine(77)},`)
    const put = await api.put(`/artifacts/${artifact(12)}`, {
      as: ROCKET_ALICE,
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    expect(put.text).toContain('"status":"Closed"')
    const xml = document('artifact-put.xml').replace(
      /(<(?:field_id|item)>)(\d+)/g,
      (_, tag: string, id: string) => `${tag}${tag === '<id>' ? artifact(Number(id)) : mine(Number(id))}`,
    )
    const again = await api.put(`/artifacts/${artifact(12)}`, {
      as: ROCKET_ALICE,
      headers: { 'content-type': 'application/xml' },
      body: xml,
    })
    expect(again.status).toBe(200)
  })
})
