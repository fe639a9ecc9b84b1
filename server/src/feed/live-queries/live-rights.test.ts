import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FIELD_CANARIES } from '../../../test/fixtures/canaries.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { type ReceivedFrame, WITHIN_A_SECOND_MS } from '../../../test/harness/event-stream.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { closeAll, type LiveStream, openLive } from '../../../test/harness/live-query.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { withStreamLimits } from '../../../test/harness/stream-limits.ts'
import { toStreamLimits } from '../../platform/http/event-stream.ts'
import { ROUTES } from '../../routes.ts'

const limits = toStreamLimits({ cursorIntervalMs: 400 })
const { api, context } = await startWorld({
  routes: withStreamLimits(ROUTES, limits),
})

const { users, members, leads, admins } = FIELD_CANARIES
const forGroup = (name: string, group: string, label: string) => ({
  name,
  type: 'string',
  label,
  permissions: { read: [group], submit: [group], update: [group] },
})
const DEFINITION = {
  ...EVERY_FIELD,
  elements: [
    ...EVERY_FIELD.elements,
    forGroup('for_users', '@registered', users.label),
    forGroup('for_members', '@members', members.label),
    forGroup('for_leads', 'leads', leads.label),
    forGroup('for_admins', '@admins', admins.label),
  ],
}

let tracker: MadeTracker
let shown: number
const opened: LiveStream[] = []
beforeEach(async () => {
  tracker = await makeTestTracker(api, DEFINITION)
  shown = await makeTestArtifact(api, tracker, { summary: { value: 'Shown' } })
})
afterEach(() => closeAll(context, opened))
const open = async (as: TestPerson | undefined, query = '', of = tracker.id) => {
  const stream = await openLive(api, `/trackers/${of}/artifacts/live${query}`, as ? { as } : {})
  opened.push(stream)
  expect(stream.status).toBe(200)
  await stream.until((frames) => frames.length > 0)
  return stream
}
const update = async (id: number, values_by_field: object, as = MARA) => {
  const { status, text } = await api.put(`/artifacts/${id}`, { as, body: { values_by_field } })
  if (status !== 200) throw new Error(text)
}
const ended = (reason: string) => (frames: readonly ReceivedFrame[]) =>
  frames.some(({ event, data }) => event === 'end' && data.reason === reason)

describe('data that the reader may not read', () => {
  test('is in no frame of the stream', async () => {
    const people = [undefined, OLGA, GUS, TOM, UMA, MARA, ADA]
    // Each stream is searched for the secrets that its reader may not see.
    const streams = await Promise.all(people.map((person) => open(person, '?fields=title,values,status,assignees')))
    await update(shown, {
      summary: { value: 'Other' },
      for_admins: { value: admins.value },
    })
    await update(shown, { for_leads: { value: leads.value } }, UMA)
    await update(shown, { for_members: { value: members.value }, for_users: { value: users.value } }, TOM)
    const last = (stream: LiveStream | undefined) => JSON.stringify([...(stream?.rows().artifacts.values() ?? [])])
    const [ada] = streams.slice(-1)
    await ada?.until(() => [users, members, leads, admins].every(({ value }) => last(ada).includes(value)))
    const newest = ada?.rows().versions.get(shown)
    // Every reader sees that it has changed; each stream is searched once it has the newest version.
    for (const stream of streams) await stream.until(() => stream.rows().versions.get(shown) === newest)
    await streams[3]?.until(() => last(streams[3]).includes(members.value))
    expect(last(streams[3])).not.toContain(leads.value)
  })

  test('cannot be found out by queries', async () => {
    const name = (field: string) => encodeURIComponent(`${field} = "canary"`)
    const ask = (as: TestPerson, query: string) =>
      api.get(`/trackers/${tracker.id}/artifacts/live?expert_query=${query}`, {
        as,
        headers: { accept: 'text/event-stream' },
      })
    expect((await ask(TOM, name('for_leads'))).status).toBe(400)
    expect((await ask(TOM, encodeURIComponent('ORDER BY for_admins'))).status).toBe(400)
    const stream = await open(UMA, `?expert_query=${name('for_leads')}`)
    await update(shown, { for_leads: { value: leads.value } }, UMA)
    await stream.untilRows(({ ids }) => ids[0] === shown)
  })

  test('does not enter, and leaves as changed when it is restricted', async () => {
    const [tom, uma] = [await open(TOM), await open(UMA)]
    const hidden = await makeTestArtifact(api, tracker, {
      summary: { value: 'Hidden' },
      seen_by: { value: { granted_groups: [String(LEADS)] } },
    })
    await uma.untilRows(({ ids }) => ids.includes(hidden))
    await update(shown, { seen_by: { value: { granted_groups: [String(LEADS)] } } })
    await tom.untilRows(({ size }) => size === 0)
    expect(tom.framesAfterReady()).toMatchObject([{ event: 'leave', data: { id: shown, size: 0, why: 'changed' } }])
    expect(uma.rows()).toMatchObject({ size: 2, ids: [shown, hidden] })
    await api.delete(`/artifacts/${shown}`, { as: ADA })
    await uma.untilRows(({ size }) => size === 1)
    expect(tom.framesAfterReady()).toHaveLength(1)
  })

  test('is not reported as deleted if it was hidden before', async () => {
    const tom = await open(TOM)
    const done = update(shown, { seen_by: { value: { granted_groups: [String(LEADS)] } } })
    await done
    await api.delete(`/artifacts/${shown}`, { as: ADA })
    await tom.untilRows(({ size }) => size === 0)
    expect(tom.framesAfterReady()).toMatchObject([{ event: 'leave', data: { why: 'changed' } }])
  })

  test('is not counted at the other end of a link', async () => {
    const stream = await open(TOM, `?expert_query=${encodeURIComponent('IS LINKED TO')}`)
    const whisper = await makeTestTracker(api, {
      ...EVERY_FIELD,
      label: 'Whispers',
      item_name: 'whisper',
      permissions: { full: ['@admins'] },
    })
    const secret = await makeTestArtifact(api, whisper, { summary: { value: 'Secret' } })
    const uma = await open(MARA, `?expert_query=${encodeURIComponent('IS LINKED TO')}`)
    await update(shown, { links: { links: [{ id: secret }] } })
    await uma.untilRows(({ ids }) => ids.length === 1)
    expect(stream.rows().ids).toEqual([])
  })
})

describe('a permission that is withdrawn while the stream is open', () => {
  test('removes the rows of a group that the reader has left', async () => {
    const parcels = await makeTestTracker(api, {
      ...EVERY_FIELD,
      label: 'Parcels',
      item_name: 'parcel',
      permissions: { full: ['leads'] },
    })
    await makeTestArtifact(api, parcels, { summary: { value: 'Mine' } })
    const stream = await open(UMA, '', parcels.id)
    expect(stream.rows().size).toBe(1)
    const { status } = await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'gus' }] })
    expect(status).toBe(200)
    await stream.until(ended('unavailable'))
    expect(stream.framesAfterReady().map(({ event }) => event)).toEqual(['reset', 'end'])
    await makeTestArtifact(api, parcels, { summary: { value: 'Not for her' } })
    expect(stream.text()).not.toContain('Not for her')
  })

  test('hides single rows that a group membership showed', async () => {
    const hidden = await makeTestArtifact(api, tracker, {
      summary: { value: 'For leads' },
      seen_by: { value: { granted_groups: [String(LEADS)] } },
    })
    const stream = await open(UMA)
    expect(stream.rows()).toMatchObject({ size: 2, ids: [shown, hidden] })
    await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'gus' }] })
    await stream.untilRows(({ ids }) => ids.length === 1)
    expect(stream.framesAfterReady().map(({ event }) => event)).toEqual(['reset', 'ready'])
    expect(stream.rows()).toMatchObject({ size: 1, ids: [shown] })
  })

  test('hides a field at once, and sends no value of it afterwards', async () => {
    const stream = await open(UMA, '?fields=values')
    await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'gus' }] })
    await api.put(`/artifacts/${shown}`, {
      as: GUS,
      body: { values_by_field: { for_leads: { value: 'after she left' } } },
    })
    await stream.until((frames) => frames.filter(({ event }) => event === 'ready').length === 2)
    await update(shown, { summary: { value: 'Later' } })
    await stream.until(() => stream.text().includes('Later'))
    expect(stream.text()).not.toContain('after she left')
  })

  test('ends a query on a field that is hidden now', async () => {
    const stream = await open(UMA, `?expert_query=${encodeURIComponent('for_leads = "x"')}`)
    await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'gus' }] })
    await stream.until(ended('unavailable'))
    expect(stream.frames.at(-1)?.event).toBe('end')
  })

  test('of a site administrator leaves the rows that other people see', async () => {
    const parcels = await makeTestTracker(api, {
      ...EVERY_FIELD,
      label: 'Parcels',
      item_name: 'parcel',
      permissions: { full: ['@admins'] },
    })
    await api.patch(`/users/${OLGA.id}`, { as: ADA, body: { is_site_admin: true } })
    const stream = await open(OLGA, '', parcels.id)
    const { status } = await api.patch(`/users/${OLGA.id}`, { as: ADA, body: { is_site_admin: false } })
    expect(status).toBe(200)
    await stream.until(ended('unavailable'))
  })

  test('to a tracker that is deleted', async () => {
    const stream = await open(TOM)
    expect((await api.delete(`/trackers/${tracker.id}`, { as: MARA })).status).toBe(200)
    await stream.until(ended('unavailable'))
  })

  test('in a project that is suspended', async () => {
    const stream = await open(TOM)
    await api.patch(`/projects/${ORCHARD}`, { as: ADA, body: { status: 'suspended' } })
    await stream.until(ended('unavailable'))
    expect(stream.frames.at(-1)?.event).toBe('end')
  })

  test.each([TOM, MARA, ADA])('in a project that is deleted, for $login', async (person) => {
    const stream = await open(person)
    expect((await api.delete(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)
    await stream.until(ended('unavailable'))
    expect(stream.frames.at(-1)?.event).toBe('end')
  })
})

describe('a credential that ends', () => {
  test.each<[string, () => Promise<{ status: number }>]>([
    ['a deleted key', () => api.delete(`/access_keys/${TOM.key_id}`, { as: TOM })],
    ['a suspended account', () => api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } })],
  ])('closes the stream within a second: %s', async (_, end) => {
    const stream = await open(TOM)
    expect((await end()).status).toBe(200)
    await stream.until(ended('credentials_expired'), WITHIN_A_SECOND_MS)
    await update(shown, { summary: { value: 'Not for them' } })
    expect(stream.text()).not.toContain('Not for them')
  })

  test('closes the stream of an anonymous reader when sign-in becomes mandatory', async () => {
    const stream = await open(undefined)
    await api.patch('/settings', { as: ADA, body: { anonymous_access: false } })
    await stream.until(ended('credentials_expired'), WITHIN_A_SECOND_MS)
    expect(stream.frames.at(-1)?.event).toBe('end')
  })
})
