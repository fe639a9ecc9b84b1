import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { MARA, OLGA, TOM, VICTOR } from '../../test/fixtures/people.ts'
import { BUG, VAULT } from '../../test/fixtures/seed-ids.ts'
import { refused, statusesOf } from '../../test/harness/refused.ts'
import { announce, attach, makeFileTracker, patchUpload } from '../../test/fixtures/uploads.ts'

const { api, context, clock } = await startWorld({ seedOnce: true })
let parcels: MadeTracker
beforeAll(async () => {
  parcels = await makeFileTracker(api)
})

const PLAN = { name: 'plan.txt', file_size: 10, file_type: 'text/plain', description: 'of the barn' }
const announced = (body: object, as = TOM, field = parcels.field('papers'), query = '') =>
  api.post(`/tracker_fields/${field}/files${query}`, { as, body })
const set = (chosen: object) =>
  sql`update setting set version = version + 1, chosen = ${JSON.stringify(chosen)}`.execute(context.db)

describe('POST /tracker_fields/{id}/files', () => {
  test('returns the upload URL and the future URL of the file', async () => {
    const { status, json } = await announced({ ...PLAN, name: 'Plan für #1?.txt' })

    expect(status).toBe(200)
    expect(json).toEqual({
      id: expect.any(Number),
      download_href: `/files/${json.id}/Plan%20f%C3%BCr%20%231%3F.txt`,
      upload_href: `/uploads/${json.id}`,
    })
  })

  test('creates an empty file at once, ready to be attached', async () => {
    const { json } = await announced({ name: 'empty.txt', file_size: 0 })

    expect(json.upload_href).toBeNull()
    expect(await attach(api, parcels, [json.id])).toEqual(expect.any(Number))
    expect((await patchUpload(api, json.id, 0, '')).status).toBe(404)
  })

  test('resumes the same unfinished upload of the same account', async () => {
    const first = await announced(PLAN)
    const others = await Promise.all([announced(PLAN), announced(PLAN, MARA), announced({ ...PLAN, file_size: 11 })])
    const elsewhere = await announced(PLAN, TOM, parcels.field('others'))

    expect(others[0]?.json).toEqual(first.json)
    expect(new Set([...others, elsewhere].map(({ json }) => json.id)).size).toBe(4)
    await patchUpload(api, first.json.id, 0, '0123456789')
    expect((await announced(PLAN)).json.id).not.toBe(first.json.id)
  })

  test('creates one upload for concurrent identical announcements', async () => {
    const at = { ...PLAN, name: 'at-once.txt' }
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => announced(at)))

    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
  })

  test('expires after 4 hours', async () => {
    const id = await announce(api, parcels.field('papers'), 10, { name: 'late.txt' })
    clock.advance(4 * 3_600_000)

    expect((await patchUpload(api, id, 0, '0123456789')).status).toBe(404)
    expect((await announced({ ...PLAN, name: 'late.txt' })).json.id).not.toBe(id)
  })

  test('is allowed for callers who may write the field', async () => {
    expect(await announced(PLAN, TOM, parcels.field('seals'))).toMatchObject(refused(403, 'permission_denied'))
    expect(await announced(PLAN, TOM, parcels.field('secrets'))).toMatchObject(refused(404, 'not_found'))
    expect((await announced(PLAN, MARA, parcels.field('seals'))).status).toBe(200)
    expect((await announced(PLAN, OLGA)).status).toBe(200) // Registered users may submit.
    expect(await api.post(`/tracker_fields/${parcels.field('papers')}/files`, { body: PLAN })).toMatchObject(
      refused(401, 'authentication_required'),
    )
  })

  test('accepts only file fields that are in use', async () => {
    const taken = { cause: 'field_not_file' }

    expect(await announced(PLAN, TOM, parcels.field('summary'))).toMatchObject(refused(400, 'rule_violated', taken))
    expect(await announced(PLAN, MARA, BUG.old)).toMatchObject(refused(400, 'rule_violated', taken))
    expect(await announced(PLAN, TOM, 999_999)).toMatchObject(refused(404, 'not_found'))
    expect((await announced(PLAN, VICTOR, VAULT)).status).toBe(404)
  })

  test.each([
    [{ file_size: -1 }, 'parameter_out_of_range'],
    [{ file_size: 1_073_741_825 }, 'parameter_out_of_range'],
    [{ file_size: 1.5 }, 'parameter_invalid'],
    [{ file_size: 2 ** 60 }, 'parameter_invalid'],
    [{ file_size: '' }, 'parameter_invalid'],
    [{ file_size: undefined }, 'parameter_required'],
    [{ name: undefined }, 'parameter_required'],
    [{ name: '' }, 'parameter_out_of_range'],
    [{ name: 'x'.repeat(256) }, 'parameter_out_of_range'],
    [{ name: '..' }, 'name_invalid'],
    [{ name: '../../x' }, 'name_invalid'],
    [{ name: 'a\\b' }, 'name_invalid'],
    [{ name: 'a\nb' }, 'name_invalid'],
  ])('I23 refuses %j', async (change, reason) => {
    expect(await announced({ ...PLAN, ...change })).toMatchObject(refused(400, reason))
  })

  test('enforces the quota across parallel announcements', async () => {
    await set({ upload_quota: 1_000_000_000 })
    const field = parcels.field('papers')
    await sql`delete from file where uploader_id = ${MARA.id}`.execute(context.db)
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => announced({ ...PLAN, name, file_size: 400_000_000 }, MARA, field)),
    )

    expect(statusesOf(answers)).toEqual([200, 200, 400, 400])
    expect(answers.find(({ status }) => status === 400)).toMatchObject(
      refused(400, 'rule_violated', { cause: 'quota_exceeded' }),
    )
    await set({})
  })

  test('creates nothing in a dry run', async () => {
    const { json } = await announced({ ...PLAN, name: 'dry.txt' }, TOM, parcels.field('papers'), '?dry_run=true')

    expect(json.dry_run).toMatchObject({ status: 200, would_answer: { id: null, upload_href: null } })
    const { rows } = await sql`select from file where name = 'dry.txt'`.execute(context.db)
    expect(rows).toEqual([])
  })
})
