import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { cleanFiles } from '../../../src/files/clean-files.ts'
import { announceForField, makeRepairs, type Repairs, uploadInChunks } from '../../fixtures/attachments.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { refused } from '../../harness/refused.ts'
import { emptyStore, uploadsBy } from '../../harness/temporary-files.ts'
import { attack, comparable, stateDigest } from './attack.ts'

const world = await startWorld()
const { api, context, clock } = world
const ABSENT = 999_999
const notFound = refused(404, 'not_found', { cause: 'file_not_found' })
let repairs: Repairs
beforeEach(async () => {
  await emptyStore(context)
  repairs = await makeRepairs(api, MARA)
})

const naming = (file: number, name = 'attachment') => ({
  tracker: { id: repairs.id },
  values: [{ field_id: repairs.field(name), value: [file] }],
})
const byName = (file: number, name = 'attachment') => ({
  tracker: { id: repairs.id },
  values_by_field: { [name]: { value: [file] } },
})
/** The store uses the clock of the machine. */
const inAWhile = () => new Date(Date.now() + 4 * 86_400_000)
/** Naming an own file assembles its bytes even if the write fails; it leaves no other trace. */
const ask = (as: TestPerson, body: object) => api.post('/artifacts', { as, body })
const create = (as: TestPerson, body: object) => attack(world, (send) => send('POST', '/artifacts', { as, body }))

describe('the file of another account', () => {
  test.each(['by id', 'by name'])('Z13 is not attached to a new artifact, %s, and stays unchanged', async (how) => {
    const form = how === 'by id' ? naming : byName
    const file = await uploadInChunks(api, TOM)
    for (const as of [UMA, MARA, ADA]) {
      const foreign = await create(as, form(file))
      expect(foreign).toMatchObject(notFound)
      expect(comparable(foreign)).toBe(comparable(await create(as, form(ABSENT))))
    }
    expect((await uploadsBy(api, TOM).list()).json.map(({ id }: { id: number }) => id)).toEqual([file])
    expect((await api.post('/artifacts', { as: TOM, body: form(file) })).status).toBe(201)
  })

  test('Z15 accepts no chunk, reveals nothing and stays, for every caller', async () => {
    const file = await uploadInChunks(api, TOM)
    for (const as of [UMA, MARA, ADA]) {
      const path = `/artifact_temporary_files/${file}`
      const absent = `/artifact_temporary_files/${ABSENT}`
      const body = { content: 'QkJC', offset: 2 }
      for (const [method, more] of [
        ['PUT', { body }],
        ['GET', {}],
        ['DELETE', {}],
      ] as const)
        await attack(world, async (send) => {
          const answer = await send(method, path, { as, ...more })
          expect(answer).toMatchObject(notFound)
          expect(comparable(answer)).toBe(comparable(await send(method, absent, { as, ...more })))
        })
    }
  })
})

describe('an attached file', () => {
  const hidden = { value: { granted_groups: ['project_admins'], is_used_by_default: true } }
  const attached = async (name: string, seen_by?: object) => {
    const file = await uploadInChunks(api, MARA)
    const values_by_field = { [name]: { value: [file] }, ...(seen_by && { seen_by }) }
    const { status, json } = await api.post('/artifacts', {
      as: MARA,
      body: { tracker: { id: repairs.id }, values_by_field },
    })
    expect(status).toBe(201)
    return { file, artifact: Number(json.id) }
  }

  test('Z14 is neither copied nor moved by naming it elsewhere', async () => {
    const inHiddenArtifact = await attached('attachment', hidden)
    const inHiddenField = await attached('secrets')
    const open = await attached('attachment')
    for (const form of [naming, byName]) {
      const absent = comparable(await create(TOM, form(ABSENT)))
      for (const { file } of [inHiddenArtifact, inHiddenField])
        expect(comparable(await create(TOM, form(file)))).toBe(absent)
      expect(await create(TOM, form(open.file))).toMatchObject(
        refused(400, 'value_not_allowed', { cause: 'file_already_attached' }),
      )
    }
  })

  test('Z16 is gone with its artifact on every route', async () => {
    const { file, artifact } = await attached('attachment')
    const ways = [
      `/artifact_files/${file}`,
      `/files/${file}/core.log`,
      `/artifacts/${artifact}`,
      `/artifacts/${artifact}/changesets`,
      `/artifacts/${artifact}?version=1`,
    ]
    for (const path of ways) expect((await api.get(path, { as: TOM })).status).toBe(200)
    expect((await api.delete(`/artifacts/${artifact}`, { as: MARA })).status).toBe(200)
    for (const as of [TOM, UMA, MARA, ADA]) {
      for (const path of ways) expect((await api.get(path, { as })).status, path).toBe(404)
      expect(comparable(await create(as, naming(file)))).toBe(comparable(await create(as, naming(ABSENT))))
    }
  })
})

describe('values by name', () => {
  test('Z48 a file in a hidden field is reported as an unknown field', async () => {
    const file = await uploadInChunks(api, TOM)
    const comparableAnswer = async (body: object, name: string) =>
      comparable(await ask(TOM, body)).replaceAll(name, 'the field')
    expect(await comparableAnswer(byName(file, 'secrets'), 'secrets')).toBe(
      await comparableAnswer(byName(file, 'nothing'), 'nothing'),
    )
    const shown = await ask(TOM, byName(file, 'shown_only'))
    expect(shown.json.error.reason).toBe((await ask(TOM, naming(file, 'shown_only'))).json.error.reason)
  })
})

describe('a member who leaves', () => {
  /** A tracker for project members; others do not see it. */
  const closed = async () => {
    const { json } = await api.get(`/trackers/${repairs.id}/definition`, { as: MARA })
    const body = { ...json, permissions: { full: ['@members'] } }
    expect((await api.put(`/trackers/${repairs.id}/definition`, { as: MARA, body })).status).toBe(200)
  }
  const leave = () =>
    sql`with gone as (delete from project_member where project_id = ${ORCHARD} and account_id = ${TOM.id})
      update project set rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(context.db)

  test('Z32 between the first chunk and the attachment attaches nothing, and the upload is collected', async () => {
    await closed()
    const artifact = await repairs.make()
    const file = await uploadInChunks(api, TOM)
    const streamed = await announceForField(api, TOM, repairs.field('attachment'), 10)
    await leave()

    for (const each of [file, streamed]) {
      const change = { values: naming(each).values }
      const put = (id: number) => api.put(`/artifacts/${id}`, { as: TOM, body: change })
      expect(comparable(await put(artifact))).toBe(comparable(await put(ABSENT)))
      expect((await ask(TOM, naming(each))).status).toBe(404)
    }
    expect(await repairs.files(artifact)).toBeUndefined()
    const again = { name: 'more.bin', file_size: 10 }
    const field = repairs.field('attachment')
    expect((await api.post(`/tracker_fields/${field}/files`, { as: TOM, body: again })).status).toBe(404)

    clock.advance(73 * 3_600_000)
    await cleanFiles(context, inAWhile())
    const { rows } = await sql`select id from file`.execute(context.db)
    expect(rows).toEqual([])
  })
})

describe('abandoned uploads', () => {
  test('D08 stop at the quota, and are removed after they expire', async () => {
    const left = async () => {
      const { file, file_piece, file_content, files } = await stateDigest(context)
      return { file, file_piece, file_content, files }
    }
    const before = await left()
    await sql`update setting set version = version + 1, chosen = '{"upload_quota": 65536}'`.execute(context.db)
    const statuses: number[] = []
    for (let at = 0; at < 40; at++) {
      const chunk = { name: `${at}.bin`, mimetype: 'text/plain', content: Buffer.alloc(1024, 'x').toString('base64') }
      const stream = { name: `${at}.bin`, file_size: 1024 }
      const [one, other] = await Promise.all([
        api.post('/artifact_temporary_files', { as: OLGA, body: chunk }),
        api.post(`/tracker_fields/${repairs.field('attachment')}/files`, { as: OLGA, body: stream }),
      ])
      statuses.push(one.status, other.status)
    }
    expect(statuses.filter((status) => status < 300)).toHaveLength(64)
    expect(statuses.filter((status) => status === 400)).toHaveLength(16)
    // The quota is per account: another account still has room.
    expect((await uploadsBy(api, TOM).create('mine')).status).toBe(201)

    clock.advance(73 * 3_600_000)
    expect((await uploadsBy(api, OLGA).list()).headers['x-disk-usage']).toBe('0')
    await cleanFiles(context, inAWhile())
    expect(await left()).toEqual(before)
  })
})
