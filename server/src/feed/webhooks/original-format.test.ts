import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUGS } from '../../../test/fixtures/seed-ids.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import type { FeedReader } from '../scan-events.ts'
import { composeBodyFor, type EventToSend } from './compose-body.ts'

const { api, context } = await startWorld()

async function report(as: TestPerson = TOM): Promise<number> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: 'It leaks' } }
  const { status, json, text } = await api.post('/artifacts', { as, body })
  if (status !== 201) throw new Error(text)
  return json.id
}

async function update(id: number, body: object): Promise<void> {
  const { status, text } = await api.put(`/artifacts/${id}`, { as: TOM, body })
  if (status !== 200) throw new Error(text)
}

/** The newest event of this type, to be sent in the original format. */
async function lastEvent(type: string): Promise<EventToSend> {
  await settleFeed(context)
  const { rows } = await sql<{ id: number }>`
    select id from event where type = ${type} order by id desc limit 1`.execute(context.db)
  const [event] = rows
  if (!event) throw new Error(`There is no ${type}.`)
  return { event: type, event_id: 'fade.1', number: event.id, payload: 'original' }
}

async function readerFor(person: TestPerson, event: EventToSend): Promise<FeedReader> {
  const viewer = await findUsableViewer(context, person.id)
  if (!viewer) throw new Error(`${person.login} cannot sign in.`)
  return { viewer, types: [event.event], tracker: BUGS }
}

async function compose(type: string, person: TestPerson): Promise<Record<string, unknown>> {
  const event = await lastEvent(type)
  return Object(JSON.parse(JSON.stringify(await composeBodyFor(context, event, await readerFor(person, event)))))
}

describe('the original format', () => {
  test('names the groups of the submitter to administrators of the tracker only', async () => {
    await report(UMA)
    const names = ['all_users', 'registered_users', 'project_members', 'authenticated_users', 'leads', 'shadows']
    expect(await compose('artifact.created', MARA)).toMatchObject({
      submitter_user_groups: names.map((short_name) => ({ short_name })),
    })
    expect(await compose('artifact.created', TOM)).toMatchObject({ submitter_user_groups: [] })
  })

  test('has no version in its states, and no state before the first', async () => {
    const id = await report()
    const created = await compose('artifact.created', MARA)
    expect(created).toMatchObject({ id, action: 'create', previous: null, user: { id: TOM.id } })
    await update(id, { values: [{ field_id: BUG.summary, value: 'It leaks a lot' }] })
    const updated = await compose('artifact.updated', MARA)
    expect(updated).toMatchObject({ id, action: 'update', tracker: { id: BUGS }, is_custom_code_execution: false })
    for (const state of [created['current'], updated['current'], updated['previous']]) {
      expect(state).toHaveProperty('values')
      expect(state).not.toHaveProperty('version')
    }
  })

  test.each([
    { type: 'comment.added', current: expect.objectContaining({ submitted_by: TOM.id }) },
    { type: 'artifact.deleted', current: null },
    { type: 'tracker.changed', current: null },
  ])('has no $type, which is sent as an event', async ({ type, current }) => {
    const id = await report()
    await update(id, { values: [], comment: { body: 'Look', format: 'text' } })
    expect((await api.delete(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
    expect((await api.patch(`/trackers/${BUGS}`, { as: MARA, body: { description: 'Leaks' } })).status).toBe(200)
    const body = await compose(type, MARA)
    expect(body).toMatchObject({ id: 'fade.1', type, current })
    expect(body).not.toHaveProperty('action')
  })
})
