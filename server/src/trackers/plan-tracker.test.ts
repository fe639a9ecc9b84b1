import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, MARA, UMA } from '../../test/fixtures/people.ts'
import { BUGS, MARSH, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { wholeDefinition } from '../../test/fixtures/whole-definition.ts'

const { api, context } = await startWorld()
const plan = (body: unknown, as = MARA, project = ORCHARD) =>
  api.post(`/projects/${project}/trackers/plan`, { as, body })

describe('POST /projects/{id}/trackers/plan', () => {
  test('shows the planned tracker and creates nothing', async () => {
    const count = async () =>
      (await sql<{ count: number }>`select count(*) as count from tracker`.execute(context.db)).rows[0]
    const before = await count()
    const { status, json } = await plan(wholeDefinition())

    expect(status).toBe(200)
    expect(json).toMatchObject({
      changes: [
        {
          op: 'add',
          path: '',
          from: null,
          to: {
            label: 'Deliveries',
            elements: [{ name: 'fs_main' }, { name: 'fs_more' }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}],
          },
          impact: { artifacts: 0, reports: 0 },
        },
      ],
      errors: [],
      warnings: [],
    })
    expect(await count()).toEqual(before)
  })

  test('lists as errors the problems that would refuse the creation', async () => {
    const body = { label: 'X', item_name: 'bug', colour: 'red', permissions: { full: ['gods'] } }
    const { status, json } = await plan(body)
    const refused = await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body })

    expect(status).toBe(200)
    expect(json).toMatchObject({ changes: [], warnings: [] })
    expect(json.errors).toHaveLength(3)
    expect(json.errors).toEqual(refused.json.error.details.all)
  })

  test('warns of a workflow without an initial transition', async () => {
    const workflow = { field: 'status', states: [{ to: 'loaded', from: ['open'] }] }
    const { json } = await plan({ ...wholeDefinition(), workflow })

    expect(json.errors).toEqual([])
    expect(json.warnings).toMatchObject([{ path: '/workflow', message: expect.stringContaining('no way in') }])
  })

  test('also plans copies', async () => {
    const { json } = await plan({ copy_from: { id: BUGS }, label: 'Moths', item_name: 'moth' })

    expect(json).toMatchObject({ errors: [], changes: [{ op: 'add', to: { label: 'Moths', item_name: 'moth' } }] })
  })

  test('requires an administrator of an active project', async () => {
    expect((await plan(wholeDefinition(), UMA)).status).toBe(403)
    const suspended = await plan(wholeDefinition(), ADA, MARSH)
    expect(suspended.json.error).toMatchObject({ code: 400, details: { cause: 'project_not_active' } })
  })
})
