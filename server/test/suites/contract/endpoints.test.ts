import { expect, test } from 'vitest'
import { MARA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { uploadInChunks } from '../../fixtures/attachments.ts'
import { startSvnWorld } from '../../peers/svn.ts'
import { makeValves } from './valves.ts'

const { api, context, svn } = await startSvnWorld()
const valves = await makeValves(api, context.db)
const { tracker } = valves

const SETTINGS = {
  commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: false },
  immutable_tags: { paths: ['/tags'], whitelist: ['/tags/moving'] },
  access_file: '[/]\n* = r\n@members = rw',
  email_notifications: [],
}

test('endpoint-01 POST /tokens answers 200 with user_id as text, token and uri', async () => {
  const { status, json } = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
  expect([status, json.user_id, json.uri]).toEqual([200, String(TOM.id), `tokens/${json.token}`])
})

test('endpoint-02 GET /projects answers an array of projects with their sub-resources', async () => {
  const { status, json } = await api.get('/projects')
  expect([status, Array.isArray(json)]).toEqual([200, true])
  const orchard = json.find(({ id }: { id: number }) => id === ORCHARD)
  expect(orchard).toMatchObject({
    uri: `projects/${ORCHARD}`,
    label: expect.stringContaining('Orchard'),
    shortname: 'orchard',
  })
  expect(orchard.resources).toContainEqual({ type: 'trackers', uri: `projects/${ORCHARD}/trackers` })
})

test('endpoint-03 GET /projects/{id} answers the project', async () => {
  const { json: projects } = await api.get('/projects', { as: TOM })
  const { status, json } = await api.get(`/projects/${ORCHARD}`, { as: TOM })
  const listed = projects.find(({ id }: { id: number }) => id === ORCHARD)
  expect([status, json.id, json.resources]).toEqual([200, ORCHARD, expect.arrayContaining(listed.resources)])
})

const STRUCTURE = {
  id: tracker.id,
  fields: expect.arrayContaining([
    expect.objectContaining({ field_id: tracker.field('summary'), name: 'summary' }),
    expect.objectContaining({
      field_id: tracker.field('status'),
      values: expect.arrayContaining([expect.objectContaining({ id: tracker.value('status', 'Open'), label: 'Open' })]),
    }),
  ]),
}

test('endpoint-04 GET /projects/{id}/trackers answers trackers with fields and possible values', async () => {
  const { status, json } = await api.get(`/projects/${ORCHARD}/trackers`, { as: TOM })
  expect([status, json]).toEqual([200, expect.arrayContaining([expect.objectContaining(STRUCTURE)])])
})

test('endpoint-05 GET /trackers/{id} answers fields and ids of possible values', async () => {
  expect(await api.get(`/trackers/${tracker.id}`)).toMatchObject({ status: 200, json: STRUCTURE })
})

test('endpoint-06 GET /trackers/{id}/artifacts finds by criteria in its body', async () => {
  const [wet, dry] = [await valves.make('Wet valve'), await valves.make('Dry valve')]
  const body = { summary: { operator: 'contains', value: 'wet' } }
  const { status, json } = await api.get(`/trackers/${tracker.id}/artifacts`, { as: TOM, body })
  const ids = json.map(({ id }: { id: number }) => id)
  expect([status, ids.includes(wet), ids.includes(dry)]).toEqual([200, true, false])
})

test('endpoint-07 GET /artifacts/{id} answers the artifact with Etag and Last-Modified', async () => {
  const id = await valves.make('One valve')
  const { status, json, headers } = await api.get(`/artifacts/${id}`)
  expect([status, json.id, json.tracker.id]).toEqual([200, id, tracker.id])
  expect(headers.etag).toMatch(/^"[\w-]+\.[\w-]+"$/)
  expect(new Date(String(headers['last-modified'])).getTime()).toBe(context.clock.now().getTime())
})

test('endpoint-08 POST /artifacts answers 201 with the whole artifact', async () => {
  const created = await valves.create('New valve')
  const { json: read } = await api.get(`/artifacts/${created.json.id}`, { as: TOM })
  expect([created.status, created.json.values]).toEqual([201, read.values])
})

test('endpoint-09 PUT /artifacts/{id} takes the payload of a POST, and answers the changed artifact', async () => {
  const id = await valves.make('Old valve')
  const { status, json } = await api.put(`/artifacts/${id}`, { as: TOM, body: valves.payload('Changed valve') })
  expect([status, json.id, json.title]).toEqual([200, id, 'Changed valve'])
})

test('endpoint-10 DELETE /artifacts/{id} answers 200 without a body, and the artifact is gone', async () => {
  const id = await valves.make('Broken valve')
  const { status, text } = await api.delete(`/artifacts/${id}`, { as: MARA })
  expect([status, text]).toEqual([200, ''])
  expect(await api.get(`/artifacts/${id}`, { as: MARA })).toMatchObject({ status: 404 })
})

test('endpoint-11 GET /artifact_files/{id} answers a chunk in base64', async () => {
  const file = await uploadInChunks(api, TOM, { content: 'Drip\n' })
  const body = {
    tracker: { id: tracker.id },
    values: [{ field_id: tracker.field('attachment'), value: [file] }],
  }
  expect(await api.post('/artifacts', { as: TOM, body })).toMatchObject({ status: 201 })
  const { status, json, headers } = await api.get(`/artifact_files/${file}?offset=0`, { as: TOM })
  expect([status, Buffer.from(json.data, 'base64').toString()]).toEqual([200, 'Drip\n'])
  expect(headers['x-pagination-size']).toBe('5')
})

test('endpoint-12 POST /svn creates a repository that the svn client reads at once', async () => {
  const { commit_rules } = SETTINGS
  const body = { project_id: ORCHARD, name: 'valves', settings: { commit_rules } }
  const { status, json } = await api.post('/svn', { as: MARA, body })
  expect([status, json.settings.commit_rules]).toEqual([201, commit_rules])
  expect(await svn(TOM, 'info', json.svn_url)).toMatchObject({ code: 0 })
})

test('endpoint-13 PUT /svn/{id} sets all settings, and answers the repository', async () => {
  const { json: made } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'pumps' } })
  const { status, json } = await api.put(`/svn/${made.id}`, { as: MARA, body: { settings: SETTINGS } })
  expect([status, json.id]).toEqual([200, made.id])
  expect(json.settings).toMatchObject({ commit_rules: SETTINGS.commit_rules, immutable_tags: SETTINGS.immutable_tags })
})

test('rule-13 PUT /svn/{id} without one of the four settings is refused', async () => {
  const { json: made } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'taps' } })
  for (const missing of Object.keys(SETTINGS)) {
    const settings = Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => name !== missing))
    expect([missing, (await api.put(`/svn/${made.id}`, { as: MARA, body: { settings } })).status]).toEqual([
      missing,
      400,
    ])
  }
})

test('rule-10 an svn payload has project_id, name and settings, which are read back', async () => {
  const body = { project_id: ORCHARD, name: 'hoses', settings: SETTINGS }
  const { json: made } = await api.post('/svn', { as: MARA, body })
  const { json } = await api.get(`/svn/${made.id}`, { as: MARA })
  expect(json).toMatchObject({ project: { id: ORCHARD }, name: 'hoses', settings: { ...SETTINGS } })
})
