import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { countDeadlocks } from '../../../test/harness/deadlocks.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { linking, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { MARSH_BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'

const { api, context, clock, startAnother } = await startWorld()
const another = await startAnother()
const { db } = context
let tracker: MadeTracker
let id: number

const HOUR = 3_600_000
const [LIMIT, REMAINING] = ['x-ratelimit-limit', 'x-ratelimit-remaining']
const remove = (artifact: number, as: TestPerson = MARA, headers: Record<string, string> = {}, query = '') =>
  api.delete(`/artifacts/${artifact}${query}`, { as, headers })
const setLimit = (artifact_deletion_limit: number) =>
  api.patch('/settings', { as: ADA, body: { artifact_deletion_limit } })
const make = (summary = 'Pump leaks') => makeTestArtifact(api, tracker, { summary })
const eventsOf = async () => {
  const { rows } = await sql<{ type: string; object: string }>`
    select type, object from event where type like 'artifact.%' and type <> 'artifact.created' order by id`.execute(db)
  return rows
}

beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  id = await make()
})

describe('deleting an artifact', () => {
  test('returns only the remaining limit, and hides the artifact at once', async () => {
    const answer = await remove(id, MARA, { 'content-type': 'application/json' })

    expect([answer.status, answer.text, answer.headers[LIMIT], answer.headers[REMAINING]]).toEqual([
      200,
      '',
      '100',
      '99',
    ])
    for (const path of ['', '/changesets', '/links'])
      expect(await api.get(`/artifacts/${id}${path}`, { as: MARA })).toMatchObject(refused(404, 'not_found'))
    expect(await api.put(`/artifacts/${id}`, { as: MARA, body: { comment: { body: 'Hi' } } })).toMatchObject({
      status: 404,
    })
    expect(await remove(id)).toMatchObject(refused(404, 'not_found'))
    expect(await eventsOf()).toEqual([{ type: 'artifact.deleted', object: `artifacts/${id}` }])
    expect(await audited(context, 'artifact.delete')).toMatchObject([
      { actor_id: MARA.id, object: `artifacts/${id}`, project_id: ORCHARD, before: { tracker_id: tracker.id } },
    ])
  })

  test('supports XML as well', async () => {
    const headers = { accept: 'application/xml' }
    expect((await remove(id, MARA, headers)).status).toBe(200)
    expect((await remove(id, MARA, headers)).text).toContain('<reason>not_found</reason>')
  })

  test('hides it from artifacts that link to it, which keep their links', async () => {
    const other = await makeTestArtifact(api, tracker, { summary: 'Other', links: { links: [{ id, type: '' }] } })
    const links = async () => {
      const { json } = await api.get(`/artifacts/${other}/linked_artifacts?direction=forward`, { as: MARA })
      return json.collection.map((each: { id: number }) => each.id)
    }
    const before = await api.get(`/artifacts/${other}`, { as: MARA })
    await remove(id)
    expect(await links()).toEqual([])
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    expect(await links()).toEqual([id])
    const after = await api.get(`/artifacts/${other}`, { as: MARA })
    expect(String(after.headers.etag).split('.')[0]).toBe(String(before.headers.etag).split('.')[0])
  })

  test('is for tracker administrators, which is checked before the limit', async () => {
    await setLimit(0)
    expect(await remove(id, TOM)).toMatchObject(
      refused(403, 'permission_denied', { cause: 'not_tracker_admin', who_may: ['tracker_admin', 'project_admin'] }),
    )
    expect((await remove(id, TOM)).headers[LIMIT]).toBeUndefined()
    expect(await remove(999_999, TOM)).toMatchObject(refused(404, 'not_found'))
    expect((await api.delete(`/artifacts/${id}`)).status).toBe(401)
    expect(await audited(context, 'artifact.delete', 'refused')).toHaveLength(2)
  })

  test('is refused to everyone if the limit is 0', async () => {
    await setLimit(0)
    const answer = await remove(id)
    expect(answer).toMatchObject(refused(403, 'deletion_disabled'))
    expect([answer.headers[LIMIT], answer.headers[REMAINING]]).toEqual(['0', '0'])
  })

  test('is refused if the tracker disables it', async () => {
    const kept = await makeTestTracker(api, { ...EVERY_FIELD, item_name: 'kept', settings: { allow_deletion: false } })
    const artifact = await makeTestArtifact(api, kept, { summary: 'Kept' })
    expect(await remove(artifact)).toMatchObject(refused(403, 'deletion_disabled'))
    expect((await remove(id)).headers[REMAINING]).toBe('99')
  })

  test('checks a precondition before any limit', async () => {
    const { headers } = await api.get(`/artifacts/${id}`, { as: MARA })
    await setLimit(0)
    expect(await remove(id, MARA, { 'if-match': '"stale"' })).toMatchObject(refused(412, 'version_mismatch'))
    await setLimit(5)
    expect((await remove(id, MARA, { 'if-match': String(headers.etag) })).status).toBe(200)

    const strict = await makeTestTracker(api, {
      ...EVERY_FIELD,
      item_name: 'strict',
      settings: { require_precondition: true },
    })
    const artifact = await makeTestArtifact(api, strict, { summary: 'Strict' })
    expect(await remove(artifact)).toMatchObject(refused(428, 'precondition_required'))
    expect((await remove(artifact, MARA, { 'if-match': '*' })).status).toBe(200)
  })

  test('is refused in a suspended project: members do not see the artifact, site administrators get the reason', async () => {
    await sql`insert into artifact (id, project_id, tracker_id, number, field_values, submitted_on, last_modified_date, last_modified)
      select 88001, project_id, id, 1, '{}', created_on, created_on, created_on from tracker where id = ${MARSH_BUGS}`.execute(
      db,
    )
    expect(await remove(88_001, MARA)).toMatchObject({ status: 404 })
    expect(await remove(88_001, OLGA)).toMatchObject(refused(404, 'not_found'))
    expect(await remove(88_001, ADA)).toMatchObject(refused(400, 'rule_violated', { cause: 'project_not_active' }))
  })

  test('as a dry run consumes no limit and writes nothing', async () => {
    const answer = await remove(id, MARA, {}, '?dry_run=true')
    expect(answer.json.dry_run).toMatchObject({
      status: 200,
      would_answer: null,
      changes: [{ object: `artifacts/${id}`, op: 'delete' }],
    })
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
    expect(await eventsOf()).toEqual([])
    expect(await audited(context, 'artifact.delete')).toEqual([])
    expect((await remove(id)).headers[REMAINING]).toBe('99')
    expect((await remove(id, MARA, {}, '?dry_run=true')).status).toBe(404)
  })

  test('with an idempotency key consumes the limit once, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'delete-it' }
    const [first, second] = [await remove(id, MARA, headers), await remove(id, MARA, headers)]
    expect([first.status, second.status, second.headers[REMAINING]]).toEqual([200, 200, '99'])
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await remove(await make())).headers[REMAINING]).toBe('98')
  })
})

describe('the deletion limit', () => {
  test('covers the last 24 hours of one person over all trackers, including restored artifacts', async () => {
    await setLimit(2)
    await remove(id)
    await api.post(`/artifacts/${id}/restore`, { as: MARA })
    clock.advance(HOUR)
    expect((await remove(await make('Second'))).headers[REMAINING]).toBe('0')
    clock.advance(HOUR)

    const answer = await remove(id)
    expect(answer).toMatchObject(refused(429, 'deletion_limit_reached'))
    expect([answer.headers[LIMIT], answer.headers[REMAINING], answer.headers['retry-after']]).toEqual([
      '2',
      '0',
      String(22 * 3600),
    ])
    expect((await remove(await make('Another'), ADA)).headers[REMAINING]).toBe('1')

    clock.advance(22 * HOUR - 1)
    expect((await remove(id)).status).toBe(429)
    clock.advance(1)
    expect((await remove(id)).headers[REMAINING]).toBe('0')
    expect((await remove(await make('Third'))).headers['retry-after']).toBe(String(3600))
  })

  test('is not consumed by refused requests', async () => {
    await setLimit(1)
    await remove(999_999)
    await remove(id, MARA, { 'if-match': '"stale"' })
    expect((await remove(id)).headers[REMAINING]).toBe('0')
  })

  test('holds for concurrent deletions on several servers', async () => {
    await setLimit(10)
    const ids: number[] = []
    while (ids.length < 100) ids.push(...(await Promise.all(Array.from({ length: 25 }, () => make()))))
    const answers = await Promise.all(
      ids.map((artifact, at) =>
        repeated(() => (at % 2 ? api : another.api).delete(`/artifacts/${artifact}`, { as: MARA })),
      ),
    )
    expect(statusesOf(answers)).toEqual([...Array(10).fill(200), ...Array(90).fill(429)])
    expect(new Set(answers.filter(({ status }) => status === 429).map(({ json }) => json.error.reason))).toEqual(
      new Set(['deletion_limit_reached']),
    )
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from artifact where tracker_id = ${tracker.id} and deleted_on is not null`.execute(db)
    expect(rows).toEqual([{ count: 10 }])
  })

  test('never deadlocks with a writer who links to the artifact', async () => {
    const trees = await makeTestTracker(api, TREES)
    const { plant, create } = linking(api, () => trees)
    const before = await countDeadlocks(db)
    for (let round = 0; round < 15; round++) {
      const tree = await plant()
      const link = { links: [{ id: tree, type: '' }] }
      const answers = await Promise.all([
        ...Array.from({ length: 3 }, () => repeated(() => remove(tree, MARA, {}, '?dry_run=true'))),
        ...Array.from({ length: 3 }, () => repeated(() => create(link))),
      ])
      expect(statusesOf(answers)).toEqual([200, 200, 200, 201, 201, 201])
    }
    expect(await countDeadlocks(db)).toBe(before)
  })

  test('applies once if two callers delete the same artifact', async () => {
    const answers = await Promise.all([remove(id, MARA), remove(id, ADA), remove(id, UMA)])
    expect(statusesOf(answers).filter((status) => status === 200)).toHaveLength(1)
    const { rows } = await sql<{ count: number }>`select count(*) as count from artifact_deletion`.execute(db)
    expect(rows).toEqual([{ count: 1 }])
  })
})

/** Retries requests that are refused under load. */
async function repeated(send: () => ReturnType<typeof api.get>) {
  for (;;) {
    const answer = await send()
    const isCrowd = answer.status === 503 || answer.text.includes('rate_limited')
    if (!isCrowd) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
