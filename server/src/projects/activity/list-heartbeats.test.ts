import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

const { api, context } = await startWorld()

const heartbeats = (as?: typeof MARA, id: number = ORCHARD) => api.get(`/projects/${id}/heartbeats`, as && { as })
const setMembers = (...people: (typeof MARA)[]) =>
  api.put(`/user_groups/${ORCHARD}_3/users`, { as: MARA, body: people.map(({ id }) => ({ id })) })

describe('GET /projects/{id}/heartbeats', () => {
  test('shows the events of the project, newest first', async () => {
    await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Hi' } })
    await api.put(`/user_groups/${ORCHARD}_3/users`, { as: MARA, body: [{ id: UMA.id }] })
    const { status, json, headers } = await heartbeats(MARA)

    expect(status).toBe(200)
    expect(json.are_there_activities_user_cannot_see).toBe(false)
    expect(headers['x-pagination-size']).toBe('3')
    expect(json.entries.at(-1)).toEqual({
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      html_message: 'changed the banner of the project',
      icon: '',
      small_icon: '',
      icon_name: 'fa-cog',
      user: expect.objectContaining({ id: MARA.id, username: 'mara', display_name: 'Mara Keller (mara)' }),
    })
    expect(json.entries[0].user).not.toHaveProperty('email')
    expect(
      json.entries
        .slice(0, 2)
        .map(({ html_message }: { html_message: string }) => html_message)
        .toSorted(),
    ).toEqual([
      'removed <a href="/users/sam">Sam Suspended (sam)</a>',
      'removed <a href="/users/tom">Tom Tiller (tom)</a>',
    ])
  })

  test('shows membership changes only to viewers who may list the members, and signals the omission', async () => {
    await setMembers(TOM, UMA, OLGA)
    expect((await heartbeats(ADA)).json.entries.map((entry: { html_message: string }) => entry.html_message)).toContain(
      'added <a href="/users/olga">Olga Outside (olga)</a>',
    )
    for (const person of [TOM, OLGA, undefined])
      expect((await heartbeats(person)).json).toEqual({ entries: [], are_there_activities_user_cannot_see: true })
  })

  test('escapes user names', async () => {
    await context.db
      .updateTable('account')
      .set({ real_name: '<img src=x onerror="alert(1)">&\'' })
      .where('id', '=', OLGA.id)
      .execute()
    await setMembers(TOM, UMA, OLGA)
    const { text } = await heartbeats(MARA)
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39; (olga)</a>')
  })

  test('shows at most the thirty newest events', async () => {
    for (let count = 0; count < 32; count++)
      await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: `Number ${count}` } })
    expect((await heartbeats()).json.entries).toHaveLength(30)
  })

  test('does not name an actor whom the viewer may not see', async () => {
    await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Hi' } })
    await context.db.updateTable('account').set({ status: 'S' }).where('id', '=', MARA.id).execute()
    expect((await heartbeats()).json.entries[0].user).toBeNull()
    expect((await heartbeats(OLGA)).json.entries[0].user.id).toBe(MARA.id)
  })

  test('merges the sources of other modules', async () => {
    const sources = context.activitySources
    Object.assign(context, {
      activitySources: [
        ...sources,
        async () => ({
          activities: [
            { on: new Date('2020-01-01T00:00:00Z'), html_message: 'old', icon_name: 'fa-list-ol', actor_id: null },
            {
              on: new Date('2999-01-01T00:00:00Z'),
              html_message: 'new',
              icon_name: 'fa-list-ol',
              actor_id: toId<AccountId>(1999),
            },
          ],
          hides: true,
        }),
      ],
    })
    try {
      await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Hi' } })
      const { json } = await heartbeats()
      expect(json.entries.map((entry: { html_message: string }) => entry.html_message)).toEqual([
        'new',
        'changed the banner of the project',
        'old',
      ])
      expect(json.entries[0].user).toBeNull()
      expect(json.are_there_activities_user_cannot_see).toBe(true)
    } finally {
      Object.assign(context, { activitySources: sources })
    }
  })

  test.each([
    { who: undefined, id: VAULT, status: 401 },
    { who: undefined, id: 2999, status: 401 },
    { who: OLGA, id: VAULT, status: 404 },
    { who: OLGA, id: 2999, status: 404 },
    { who: TOM, id: MARSH, status: 404 },
  ])('is hidden with the project $id from $who.login', async ({ who, id, status }) => {
    expect((await heartbeats(who, id)).status).toBe(status)
  })

  test('supports XML', async () => {
    await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'Hi' } })
    const { text } = await api.get(`/projects/${ORCHARD}/heartbeats.xml`)
    expect(text).toContain('<entries><item><updated_at>')
  })
})
