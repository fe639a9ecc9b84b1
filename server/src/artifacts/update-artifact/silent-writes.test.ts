import { beforeEach, describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ROUTES } from '../../routes.ts'

const { api, context } = await startWorld()
let tracker: MadeTracker
let target: MadeTracker
let id: number

beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  target = await makeTestTracker(api, { ...EVERY_FIELD, item_name: 'parcel', label: 'Parcels' })
  id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
})

interface FeedEvent {
  readonly type: string
  readonly silent: boolean
}

/** The types of the events that a write causes, with whether they are silent. */
async function eventsOf(write: () => Promise<{ status: number; text: string }>, status: number) {
  await settleFeed(context)
  const { next } = (await api.get('/events?after=now', { as: MARA })).json
  const answer = await write()
  expect([answer.status, answer.text]).toEqual([status, answer.text])
  await settleFeed(context)
  const { json } = await api.get(`/events?after=${next}`, { as: MARA })
  const events: readonly FeedEvent[] = json.events
  return events.filter(({ type }) => type !== 'rights.changed').map(({ type, silent }) => `${type} ${silent}`)
}

const CALLS = {
  creation: (query: string, as = MARA) =>
    api.post(`/artifacts${query}`, { as, body: { tracker: { id: tracker.id }, values_by_field: { summary: 'New' } } }),
  change: (query: string, as = MARA) =>
    api.put(`/artifacts/${id}${query}`, { as, body: { values_by_field: { summary: 'Boxes' } } }),
  comment: (query: string, as = MARA) => api.put(`/artifacts/${id}${query}`, { as, body: { comment: { body: 'Hm' } } }),
  copy: (query: string, as = MARA) => api.post(`/artifacts/${id}/copy${query}`, { as }),
  links: async (query: string, as = MARA) => {
    const other = await makeTestArtifact(api, tracker, { summary: 'Other' })
    return api.put(`/artifacts/${id}/links${query}`, { as, body: { all_links: [{ id: other, type: '' }] } })
  },
} as const

describe.each([
  ['creation', 'artifact.created', 201],
  ['change', 'artifact.updated', 200],
  ['comment', 'artifact.updated', 200],
  ['copy', 'artifact.created', 201],
] as const)('notify=false on a %s', (name, type, status) => {
  test('marks the event as silent', async () => {
    expect(await eventsOf(() => CALLS[name]('?notify=false'), status)).toContain(`${type} true`)
    expect(await eventsOf(() => CALLS[name]('?notify=true'), status)).toEqual(
      expect.not.arrayContaining([`${type} true`]),
    )
  })

  test('is for tracker administrators only', async () => {
    expect(await CALLS[name]('?notify=false', TOM)).toMatchObject(
      refused(403, 'permission_denied', { cause: 'not_tracker_admin', who_may: ['tracker_admin', 'project_admin'] }),
    )
    expect((await CALLS[name]('?notify=true', TOM)).status).toBe(status)
  })
})

test('links, moves, deletions and restorations can be silent', async () => {
  expect(await eventsOf(() => CALLS.links('?notify=false'), 200)).toContain('artifact.updated true')
  expect((await CALLS.links('?notify=false', TOM)).status).toBe(403)
  const body = { move: { tracker_id: target.id } }
  const move = () => api.patch(`/artifacts/${id}?notify=false`, { as: MARA, body })
  expect(await eventsOf(move, 200)).toContain('artifact.moved true')
  const remove = () => api.delete(`/artifacts/${id}?notify=false`, { as: MARA })
  expect(await eventsOf(remove, 200)).toContain('artifact.deleted true')
  const restore = () => api.post(`/artifacts/${id}/restore?notify=false`, { as: MARA })
  expect(await eventsOf(restore, 200)).toContain('artifact.restored true')
})

test('changes of a tracker can be silent', async () => {
  const address = `/trackers/${tracker.id}/definition`
  const { json } = await api.get(address, { as: MARA })
  const put = () => api.put(`${address}?notify=false`, { as: MARA, body: { ...json, label: 'Post' } })
  expect(await eventsOf(put, 200)).toContain('tracker.changed true')
})

test('a stale or hidden artifact is answered as without the parameter', async () => {
  const headers = { 'if-match': '"stale"' }
  const body = { comment: { body: 'Hm' } }
  expect((await api.put(`/artifacts/${id}?notify=false`, { as: MARA, headers, body })).status).toBe(412)
  expect((await api.put(`/artifacts/${id}?notify=false`, { as: TOM, headers, body })).status).toBe(403)
  expect((await api.put('/artifacts/999999?notify=false', { as: TOM, body })).status).toBe(404)
})

test('a silent dry run notifies nobody', async () => {
  await api.put(`/artifacts/${id}/watch`, { as: TOM, body: { level: 'all' } })
  const loud = await CALLS.comment('?dry_run=true')
  expect(loud.json.dry_run.notified).not.toEqual([])
  const silent = await CALLS.comment('?dry_run=true&notify=false')
  expect(silent.json.dry_run.notified).toEqual([])
})

describe('in another tracker', () => {
  const triggering = (item_name: string, more: object) => ({
    label: item_name,
    item_name,
    elements: [
      { name: 'summary', type: 'string', label: 'Summary' },
      {
        name: 'status',
        type: 'sb',
        label: 'Status',
        bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Done' }] },
      },
      { name: 'links', type: 'art_link', label: 'Links', properties: { can_edit_reverse_links: true } },
    ],
    semantics: { title: 'summary' },
    ...more,
  })
  let child: number
  let parent: number

  beforeEach(async () => {
    const epics = await makeTestTracker(api, triggering('epic', { permissions: { full: ['@anonymous'] } }))
    const permissions = { full: ['@anonymous'], admin: ['leads'] }
    const tasks = await makeTestTracker(api, triggering('task', { permissions, hierarchy: { parent: 'epic' } }))
    const { json } = await api.get(`/trackers/${epics.id}/definition`, { as: MARA })
    const when = [{ tracker: 'task', field: 'status', value: 'done' }]
    const triggers = [{ target: { field: 'status', value: 'done' }, condition: 'all_of', when }]
    const body = { ...json, triggers }
    const defined = await api.put(`/trackers/${epics.id}/definition`, { as: MARA, body })
    if (defined.status !== 200) throw new Error(defined.text)
    child = await makeTestArtifact(api, tasks, { summary: 'Task', status: 'Open' })
    const links = { links: [{ id: child, type: '_is_child' }] }
    parent = await makeTestArtifact(api, epics, { summary: 'Epic', status: 'Open', links })
  })

  /** Whether the versions of child and parent that the write makes are silent. */
  async function silenceOf(as: TestPerson, body: object) {
    await settleFeed(context)
    const { next } = (await api.get('/events?after=now', { as: MARA })).json
    const { status, text } = await api.put(`/artifacts/${child}?notify=false`, { as, body })
    expect([status, text]).toEqual([200, text])
    await settleFeed(context)
    const { json } = await api.get(`/events?after=${next}&types=artifact.updated`, { as: MARA })
    const events: readonly (FeedEvent & { object: string })[] = json.events
    return Object.fromEntries(events.map(({ object, silent }) => [object, silent]))
  }
  const byTrigger = { values_by_field: { status: 'Done' } }
  const byReverseLink = () => ({
    values_by_field: { links: { all_links: [{ id: parent, type: '', direction: 'reverse' }] } },
  })

  test('a silent write by its administrator, too, is silent', async () => {
    expect(await silenceOf(MARA, byTrigger)).toEqual({ [`artifacts/${child}`]: true, [`artifacts/${parent}`]: true })
  })

  test('a trigger of a silent write notifies as usual if its author does not administer that tracker', async () => {
    expect(await silenceOf(UMA, byTrigger)).toEqual({ [`artifacts/${child}`]: true, [`artifacts/${parent}`]: false })
  })

  test('so does a reverse link', async () => {
    expect(await silenceOf(UMA, byReverseLink())).toMatchObject({ [`artifacts/${parent}`]: false })
    const body = { values_by_field: { links: { all_links: [] } } }
    expect(await silenceOf(MARA, body)).toMatchObject({ [`artifacts/${parent}`]: true })
  })
})

test('every write of artifacts and definitions that notifies has the parameter', () => {
  // Changes of comments and reactions notify no one.
  const paths = ROUTES.filter(({ writes, path }) => writes && /^\/artifacts|^\/tracker_(?:fields|workflow)/.test(path))
  const lacking = paths.filter(
    ({ notifies, path }) => !notifies && !/(?:watch|favourite|seen|files|comment|reactions\/:reaction)$/.test(path),
  )
  expect(lacking.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
