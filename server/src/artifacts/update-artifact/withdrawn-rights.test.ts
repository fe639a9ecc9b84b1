import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

/**
 * A permission that is withdrawn after a writer has read and before they write, through this process or another one.
 * The tracker comes from the cache; the permission is withdrawn at that moment.
 */
const world = await startWorld()
const another = await world.startAnother()
const { context, api } = world

let tracker: MadeTracker
let id: number
beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
  await api.get(`/artifacts/${id}`, { as: UMA })
})

type Change = (definition: { permissions: object; elements: { name: string; permissions?: object }[] }) => void
const ADMINS = { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] }

/** Through the other process, or through the writer's own. */
const redefine = async (by: typeof api, change: Change) => {
  const { json } = await by.get(`/trackers/${tracker.id}/definition`, { as: MARA })
  change(json)
  const { status, text } = await by.put(`/trackers/${tracker.id}/definition`, { as: MARA, body: json })
  expect([status, text]).toEqual([200, expect.any(String)])
}

/** Runs between the first read of the next request and its write. */
function meanwhile(happens: () => Promise<void>) {
  const trackers = { ...context.trackers }
  vi.spyOn(context.trackers, 'at').mockImplementationOnce(async (...asked) => {
    const seen = await trackers.at(...asked)
    await happens()
    return seen
  })
}

const stored = async () => {
  const { rows } = await sql<{ artifacts: number; versions: number; labels: number; events: number }>`
    select (select count(*) from artifact) as artifacts, (select count(*) from changeset) as versions,
      (select count(*) from open_value) as labels,
      (select count(*) from event where type like 'artifact.%') as events`.execute(context.db)
  return rows[0]
}

const WRITES: readonly [string, object, Record<string, string>][] = [
  ['by one statement', { summary: 'Boxes' }, {}],
  ['with values that are typed for the first time', { summary: 'Boxes', tags: ['brand new'] }, {}],
  ['with a key', { summary: 'Boxes' }, { 'idempotency-key': 'withdrawn' }],
]

describe.each([
  ['this process', () => api],
  ['another process', () => another.api],
])('a write is refused if %s concurrently withdraws', (_, by) => {
  describe.each(WRITES)('%s', (__, values_by_field, headers) => {
    const put = () => api.put(`/artifacts/${id}`, { as: UMA, headers, body: { values_by_field } })

    test('the permission on the field', async () => {
      const before = await stored()
      meanwhile(() =>
        redefine(by(), ({ elements }) => {
          for (const each of elements) if (each.name === 'summary') each.permissions = ADMINS
        }),
      )
      expect(await put()).toMatchObject(refused(400, 'field_not_writable', { cause: 'field_not_updatable' }))
      expect(await stored()).toEqual(before)
    })

    test('the visibility of the tracker', async () => {
      const before = await stored()
      meanwhile(() =>
        redefine(by(), (definition) => {
          definition.permissions = { full: ['@admins'] }
        }),
      )
      expect(await put()).toMatchObject(refused(404, 'not_found'))
      expect(await stored()).toEqual(before)
    })
  })

  test('a membership, the project, or the artifact itself', async () => {
    await redefine(api, (definition) => {
      definition.permissions = { full: ['leads'] }
    })
    const put = (as = UMA) => api.put(`/artifacts/${id}`, { as, body: { comment: { body: 'Still here' } } })
    const done = async (answer: Promise<{ status: number }>) => {
      expect((await answer).status).toBe(200)
    }
    const before = await stored()
    meanwhile(() => done(by().put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: GUS.login }] })))
    expect(await put()).toMatchObject(refused(404, 'not_found'))
    meanwhile(() => done(by().patch(`/projects/${ORCHARD}`, { as: ADA, body: { status: 'suspended' } })))
    expect(await put(GUS)).toMatchObject(refused(404, 'not_found'))
    await by().patch(`/projects/${ORCHARD}`, { as: ADA, body: { status: 'active' } })
    expect(await stored()).toEqual(before)
    meanwhile(() => done(by().delete(`/artifacts/${id}`, { as: MARA })))
    expect(await put(GUS)).toMatchObject(refused(404, 'not_found'))
  })

  test('the permission to submit', async () => {
    const post = (values_by_field: object) =>
      api.post('/artifacts', { as: TOM, body: { tracker: { id: tracker.id }, values_by_field } })
    const before = await stored()
    meanwhile(() =>
      redefine(by(), ({ elements }) => {
        for (const each of elements) if (each.name === 'summary') each.permissions = ADMINS
      }),
    )
    expect(await post({ summary: 'Boxes', tags: ['new'] })).toMatchObject(
      refused(400, 'field_not_writable', { cause: 'field_not_submittable' }),
    )
    meanwhile(() =>
      redefine(by(), (definition) => {
        definition.permissions = { full: ['@admins'] }
      }),
    )
    expect(await post({ points: 1, tags: ['new'] })).toMatchObject(refused(404, 'not_found'))
    expect(await stored()).toEqual(before)
  })

  test('the option to leave a field empty', async () => {
    const put = () => api.put(`/artifacts/${id}`, { as: TOM, body: { values_by_field: { summary: 'Boxes' } } })
    meanwhile(() =>
      redefine(by(), ({ elements }) => {
        for (const each of elements) if (each.name === 'points') Object.assign(each, { required: true })
      }),
    )
    expect(await put()).toMatchObject(refused(400, 'field_required'))
  })
})

test('a tracker change that withdraws nothing does not conflict', async () => {
  meanwhile(() =>
    redefine(another.api, (definition) => {
      Object.assign(definition, { description: 'Changed' })
    }),
  )
  const body = { values_by_field: { summary: 'Boxes' } }

  expect(await api.put(`/artifacts/${id}`, { as: TOM, body })).toMatchObject({ status: 200, json: { title: 'Boxes' } })
})
