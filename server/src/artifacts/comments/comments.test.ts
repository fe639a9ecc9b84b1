import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context, clock } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let id: number
/** The changeset of Tom's comment, and its address. */
let changeset: number
let path: string

const say = async (as: TestPerson, comment: object, values_by_field: object = {}): Promise<number> => {
  clock.advance(60_000)
  expect((await api.put(`/artifacts/${id}`, { as, body: { values_by_field, comment } })).status).toBe(200)
  const { json } = await api.get(`/artifacts/${id}/changesets?order=desc`, { as: MARA })
  return json[0].id
}
const addressOf = (of: number) => `/artifacts/${id}/changesets/${of}/comment`
const edit = (as: TestPerson, body: string, headers = {}) => api.put(path, { as, body: { body }, headers })
const history = async (as?: TestPerson) =>
  (await api.get(`/artifacts/${id}/changesets?diff=true&limit=50`, as && { as })).json
const commentIn = async (as?: TestPerson) =>
  (await history(as)).find((each: { id: number }) => each.id === changeset)?.last_comment
const found = async (keywords: string, as: TestPerson) => {
  const { json } = await api.post('/search', { as, body: { keywords, types: ['artifact'] } })
  return json.map(({ per_type_id }: { per_type_id: number }) => per_type_id)
}
const events = async () => {
  const { rows } = await sql<{ type: string; payload: object }>`
    select type, payload from event where object = ${`artifacts/${id}`} order by id`.execute(context.db)
  return rows
}

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
})
beforeEach(async () => {
  id = await makeTestArtifact(api, tracker, { summary: { value: 'Engine stops' } })
  changeset = await say(TOM, { body: 'Seen *gyroscope*, see art #14001', format: 'commonmark' })
  path = addressOf(changeset)
})

describe('a comment', () => {
  test('is changed by its author, and its earlier text stays readable', async () => {
    const before = (await api.get(`/artifacts/${id}`, { as: TOM })).json
    clock.advance(60_000)
    const answer = await edit(TOM, 'Seen **theodolite**')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      uri: path.slice(1),
      version: 2,
      is_deleted: false,
      commonmark: 'Seen **theodolite**',
      submitted_by: { id: TOM.id },
      earlier: [{ version: 1, body: 'Seen *gyroscope*, see art #14001', replaced_by: { id: TOM.id } }],
    })
    expect((await api.get(path)).json).toEqual({ ...answer.json, reactions: undefined })
    const [, shown] = await history(OLGA)
    expect(shown).toMatchObject({
      last_comment: { commonmark: 'Seen **theodolite**', version: 2 },
      last_modified_by: { id: TOM.id },
      last_modified_date: answer.json.earlier[0].replaced_on,
    })
    expect(shown.last_modified_date > shown.submitted_on).toBe(true)
    const { version, last_modified_date } = (await api.get(`/artifacts/${id}`, { as: TOM })).json
    expect({ version, last_modified_date }).toEqual({
      version: before.version,
      last_modified_date: before.last_modified_date,
    })
  })

  test('is found by its present text, refers to what it names now, and tells the feed, but sends no notice', async () => {
    expect(await found('gyroscope', OLGA)).toContain(id)
    await edit(TOM, 'Seen theodolite, see art #14002')
    expect(await found('gyroscope', OLGA)).not.toContain(id)
    expect(await found('theodolite', OLGA)).toContain(id)
    const { rows } = await sql`select ref from artifact_reference where changeset_id = ${changeset}`.execute(context.db)
    expect(rows).toEqual([{ ref: 'art #14002' }])
    expect((await events()).at(-1)).toMatchObject({
      type: 'comment.edited',
      payload: { version: 2, has_comment: true },
    })
  })

  test('is not changed by others, also not by administrators', async () => {
    for (const as of [UMA, MARA, ADA]) expect(await edit(as, 'Mine')).toMatchObject(refused(403, 'permission_denied'))
    expect(await api.delete(path, { as: OLGA })).toMatchObject(refused(403, 'permission_denied'))
    expect(await api.put(path, { body: { body: 'x' } })).toMatchObject(refused(401, 'authentication_required'))
    expect((await commentIn(TOM)).version).toBeUndefined()
  })

  test('is not changed by a stale tag, an empty text, or the same text', async () => {
    const { headers } = await api.get(path, { as: TOM })
    const tag = { 'if-match': String(headers['etag']) }
    const answers = await Promise.all(['One', 'Two'].map((text) => edit(TOM, text, tag)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412])
    expect(await edit(TOM, ' ')).toMatchObject(refused(400, 'parameter_required'))
    expect(await edit(TOM, 'x'.repeat(65_536))).toMatchObject(refused(400, 'parameter_out_of_range'))
    const { commonmark } = (await api.get(path, { as: TOM })).json
    expect((await edit(TOM, commonmark)).json.version).toBe(2)
  })

  test('is deleted by its author or an administrator; only administrators still read it', async () => {
    await edit(TOM, 'Seen theodolite, see art #14002')
    expect((await api.delete(path, { as: TOM })).status).toBe(200)
    for (const as of [TOM, OLGA, undefined]) {
      expect(await commentIn(as)).toEqual({
        body: '',
        post_processed_body: '',
        format: 'text',
        ugroups: null,
        version: 3,
        is_deleted: true,
      })
      expect((await api.get(path, as && { as })).status).toBe(as ? 404 : 401)
    }
    const { json } = await api.get(path, { as: MARA })
    expect(json).toMatchObject({ body: '', is_deleted: true, version: 3 })
    expect(json.earlier.map(({ body }: { body: string }) => body)).toEqual([
      'Seen *gyroscope*, see art #14001',
      'Seen theodolite, see art #14002',
    ])
    expect(await found('theodolite', OLGA)).not.toContain(id)
    const { rows } = await sql`select ref from artifact_reference where changeset_id = ${changeset}`.execute(context.db)
    expect(rows).toEqual([])
    expect((await events()).at(-1)).toMatchObject({ type: 'comment.edited', payload: { has_comment: false } })
    for (const call of [edit(TOM, 'Again'), api.delete(path, { as: MARA })])
      expect(await call).toMatchObject(refused(404, 'not_found'))
    const { json: comments } = await api.get(`/artifacts/${id}/changesets?fields=comments`, { as: MARA })
    expect(comments).toEqual([])

    const others = addressOf(await say(UMA, { body: 'Of Uma' }))
    expect((await api.delete(others, { as: MARA })).status).toBe(200)
    const { rows: log } = await sql`
      select action, actor_id, object from audit where action = 'comment.delete' order by id desc limit 1`.execute(
      context.db,
    )
    expect(log).toEqual([{ action: 'comment.delete', actor_id: MARA.id, object: others.slice(1) }])
  })

  test('of a group stays with the group, changed and deleted', async () => {
    changeset = await say(UMA, { body: 'Hush', format: 'text', ugroups: [String(LEADS)] })
    path = addressOf(changeset)
    expect((await edit(UMA, 'Hush more')).status).toBe(200)
    const hidden = async () => {
      for (const call of [
        api.get(path, { as: TOM }),
        edit(TOM, 'x'),
        api.delete(path, { as: TOM }),
        api.put(`${path}/reactions/heart`, { as: TOM }),
      ])
        expect(await call).toMatchObject(refused(404, 'not_found'))
      expect(await commentIn(TOM)).toBeUndefined()
      expect(JSON.stringify(await history(TOM))).not.toContain('Hush')
    }
    await hidden()
    expect((await commentIn(UMA)).ugroups).toMatchObject([{ label: 'leads' }])
    expect((await events()).at(-1)?.payload).toMatchObject({ comment_groups: [LEADS] })
    await api.delete(path, { as: UMA })
    await hidden()
    expect(await commentIn(UMA)).toMatchObject({ is_deleted: true })
  })

  test('of a group in a version that others see shows them neither its reactions nor that it was changed', async () => {
    changeset = await say(UMA, { body: 'Hush', format: 'text', ugroups: [String(LEADS)] }, { points: 5 })
    path = addressOf(changeset)
    await edit(UMA, 'Hush more')
    expect((await api.put(`${path}/reactions/heart`, { as: UMA })).status).toBe(200)
    const none = { body: '', post_processed_body: '', format: 'text', ugroups: null }
    const before = await history(TOM)
    expect(await commentIn(TOM)).toEqual(none)
    expect(await commentIn(UMA)).toMatchObject({ version: 2, reactions: [{ name: 'heart', count: 1, is_mine: true }] })
    await api.delete(path, { as: UMA })
    expect(await history(TOM)).toEqual(before)
  })

  test('stays as it is after a dry run, and in an archived project', async () => {
    const dry = await api.put(`${path}?dry_run=true`, { as: TOM, body: { body: 'Other' } })
    expect(dry.json.dry_run.changes).toMatchObject([{ object: path.slice(1), op: 'update' }])
    expect((await commentIn(TOM)).version).toBeUndefined()
    const status = (to: string) =>
      sql`update project set status = ${to}, rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(context.db)
    await status('archived')
    const calls = [edit(TOM, 'x'), api.delete(path, { as: TOM })]
    for (const method of ['PUT', 'DELETE']) calls.push(api.request(method, `${path}/reactions/eyes`, { as: TOM }))
    for (const call of calls) expect(await call).toMatchObject(refused(403, 'project_archived'))
    await status('active')
  })

  test('disappears with all of its texts when the artifact is purged', async () => {
    await edit(TOM, 'Other')
    await api.put(`${path}/reactions/heart`, { as: MARA })
    await api.delete(`/artifacts/${id}`, { as: ADA })
    expect((await api.delete(`/artifacts/${id}?purge=true`, { as: ADA })).status).toBe(200)
    for (const table of ['comment_version', 'comment_reaction'] as const)
      expect(
        (await context.db.selectFrom(table).select('artifact_id').execute()).map(({ artifact_id }) =>
          Number(artifact_id),
        ),
      ).not.toContain(id)
  })
})

describe('reactions', () => {
  test('are counted, tell which are mine, and are taken back', async () => {
    for (const as of [TOM, MARA]) expect((await api.put(`${path}/reactions/heart`, { as })).status).toBe(200)
    clock.advance(1000)
    for (let time = 0; time < 2; time++) await api.put(`${path}/reactions/eyes`, { as: OLGA })
    const heart = { name: 'heart', count: 2 }
    const watching = { name: 'eyes', count: 1 }
    const seenBy = async (as?: TestPerson) => (await commentIn(as)).reactions
    expect(await seenBy(TOM)).toEqual([
      { ...heart, is_mine: true },
      { ...watching, is_mine: false },
    ])
    expect(await seenBy()).toEqual([
      { ...heart, is_mine: false },
      { ...watching, is_mine: false },
    ])
    for (let time = 0; time < 2; time++) await api.delete(`${path}/reactions/heart`, { as: TOM })
    expect((await seenBy(TOM))[0]).toEqual({ name: 'heart', count: 1, is_mine: false })
    expect((await api.get(path, { as: OLGA })).json.reactions).toEqual(await seenBy(OLGA))
    await api.delete(path, { as: TOM })
    expect(await seenBy(TOM)).toBeUndefined()
  })

  test('have names from a list, and need a comment', async () => {
    expect(await api.put(`${path}/reactions/shrug`, { as: TOM })).toMatchObject(refused(400, 'parameter_not_allowed'))
    const [first] = await history(TOM)
    expect(await api.put(`${addressOf(first.id)}/reactions/heart`, { as: TOM })).toMatchObject(
      refused(404, 'not_found'),
    )
    expect((await api.put(`${path}/reactions/heart`)).status).toBe(401)
  })
})
