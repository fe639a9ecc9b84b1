import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ADA, GUS, MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { makeReferenceTracker } from '../../../test/fixtures/svn-reference-tracker.ts'

const { api, context, svn, put, run, root, svnOrigin } = await startSvnWorld()

const create = async (name: string, settings: object = {}) => {
  const { status, json, text } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name, settings } })
  expect(status, text).toBe(201)
  return { id: Number(json.id), url: `${svnOrigin}/svn/orchard/${name}` }
}
const remove = (id: number) => api.delete(`/svn/${id}`, { as: MARA })
/** Runs the worker during the request. */
const restore = async (id: number, body?: object, headers: Record<string, string> = {}) => {
  const asked = api.post(`/svn/${id}/restore`, { as: ADA, headers, ...(body && { body }) })
  const isAnswered = asked.then(() => true)
  while (!(await Promise.race([isAnswered, pause(20, false)]))) await drainWorker(context)
  return asked
}
const folderOf = (name: string) => join(root, 'repositories', 'orchard', name)
const uuidOf = async (name: string) => (await run('svnlook', ['uuid', folderOf(name)])).out
const revisionsOf = async (id: number) => {
  const { rows } = await sql<{ revision: number; message: string; ref: string | null }>`
    select made.revision, made.message, reference.ref from repository_revision made
    left join repository_reference reference using (repository_id, revision)
    where made.repository_id = ${id} order by made.revision`.execute(context.db)
  return rows
}

describe('POST /svn/{id}/restore', () => {
  test('restores content, UUID, revisions, references, settings and access file', async () => {
    const settings = {
      layout: ['trunk', 'secret'],
      commit_rules: { is_reference_mandatory: true, is_commit_message_change_allowed: true },
      immutable_tags: { paths: ['/tags'], whitelist: [] },
      access_file: '[/secret]\n* =\n@leads = rw',
      email_notifications: [{ path: '/trunk', emails: ['dev@waypost.example'], users: [], user_groups: [] }],
    }
    const { id, url } = await create('whole', settings)
    const plant = await makeReferenceTracker(api)
    expect((await put(TOM, `${url}/trunk/seed`, 'apple\0\n', `Sown: art #${plant.id}.`)).error).toBe('')
    await put(TOM, `${url}/trunk/späť ©`, 'ü', `Another one for art #${plant.id}.`)
    await drainWorker(context)
    const before = {
      settings: (await api.get(`/svn/${id}`, { as: MARA })).json.settings,
      uuid: await uuidOf('whole'),
      log: (await svn(TOM, 'log', '-v', `${url}/trunk`)).out,
      revisions: await revisionsOf(id),
      references: await plant.references(),
    }
    expect(before.references).toHaveLength(2)
    const files = await readdir(join(root, 'deleted'))

    await remove(id)
    await drainWorker(context)
    expect(await plant.references()).toEqual([])
    expect(await readdir(join(root, 'repositories', 'orchard'))).not.toContain('whole')
    const { status, json, headers } = await restore(id)
    expect([status, json.name, json.svn_url]).toEqual([201, 'whole', url])
    expect(headers.location).toMatch(new RegExp(`/api/svn/${id}$`))
    expect(json.settings).toEqual(before.settings)
    expect((await api.get(`/svn/${id}`, { as: MARA })).headers.etag).toBe(headers.etag)
    expect(await uuidOf('whole')).toBe(before.uuid)
    expect((await svn(TOM, 'log', '-v', `${url}/trunk`)).out).toBe(before.log)
    expect((await svn(TOM, 'cat', `${url}/trunk/seed`)).out).toBe('apple\0\n')
    await drainWorker(context)
    expect(await revisionsOf(id)).toEqual(before.revisions)
    expect(await plant.references()).toEqual(before.references)
    expect((await svn(TOM, 'list', `${url}/secret`)).error).toContain('E')
    expect((await svn(GUS, 'list', `${url}/secret`)).code).toBe(0)

    // It accepts commits as before, by its rules, and records them once.
    expect((await svn(TOM, 'mkdir', '-m', 'No reference.', `${url}/trunk/no`)).error).toContain(
      'must name what the commit is about',
    )
    expect((await svn(TOM, 'mkdir', '-m', `For art #${plant.id}.`, `${url}/trunk/yes`)).error).toBe('')
    expect(await revisionsOf(id)).toHaveLength(before.revisions.length + 1)
    expect((await run('svnadmin', ['verify', '-q', folderOf('whole')])).code).toBe(0)
    expect(await readdir(join(root, 'deleted'))).toEqual(files)
    expect(await readdir(join(root, 'making'))).toEqual([])
  })

  test('works before a dump was made, and cancels the pending one', async () => {
    const { id, url } = await create('quick')
    await put(TOM, `${url}/seed`, 'apple', 'A seed.')
    await remove(id)
    const { rows: jobs } = await sql<{ id: number }>`
      update job set state = 'parked' where object = ${`svn/${id}`} and state = 'waiting' returning id`.execute(
      context.db,
    )
    expect((await restore(id)).status).toBe(201)
    await api.post(`/jobs/${jobs[0]?.id.toString(16)}/retry`, { as: ADA })
    await drainWorker(context)
    expect((await svn(TOM, 'cat', `${url}/seed`)).out).toBe('apple')
  })

  test('records commits made right before the deletion', async () => {
    const { id, url } = await create('late')
    await put(TOM, `${url}/seed`, 'apple', 'A seed.')
    await sql`delete from repository_revision where repository_id = ${id}`.execute(context.db)
    await sql`update repository set recorded_revision = 0 where id = ${id}`.execute(context.db)
    await remove(id)
    await drainWorker(context)
    expect((await restore(id)).status).toBe(201)
    await sql`update repository set unrecorded_since = unrecorded_since - interval '1 minute' where id = ${id}`.execute(
      context.db,
    )
    await drainWorker(context)
    expect(await revisionsOf(id)).toEqual([{ revision: 1, message: 'A seed.', ref: null }])
  })

  test('is refused while another repository has the name, and accepts a new name', async () => {
    const { id, url } = await create('taken')
    await put(TOM, `${url}/first`, '1', 'The first.')
    await remove(id)
    const second = await create('Taken')
    expect(await restore(id)).toMatchObject(refused(409, 'repository_name_taken'))
    expect(await restore(id, { name: 'a/b' })).toMatchObject(refused(409, 'repository_name_invalid'))
    expect(await restore(id, { name: 'quick' })).toMatchObject(refused(409, 'repository_name_taken'))
    const { status, json } = await restore(id, { name: 'taken2' })
    expect([status, json.name]).toEqual([201, 'taken2'])
    expect((await svn(TOM, 'list', json.svn_url)).out).toBe('first\n')
    expect((await svn(TOM, 'list', `${svnOrigin}/svn/orchard/Taken`)).out).toBe('')

    // A third round: each has its own dump.
    await remove(second.id)
    expect((await restore(second.id)).json.name).toBe('Taken')
    await remove(id)
    await drainWorker(context)
    expect((await restore(id)).json.name).toBe('taken2')
    expect((await svn(TOM, 'list', json.svn_url)).out).toBe('first\n')
  })

  test('reserves the name from the time of the request', async () => {
    const { id } = await create('held')
    await remove(id)
    await drainWorker(context)
    const asked = api.post(`/svn/${id}/restore`, { as: ADA })
    await expect
      .poll(async () => (await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'held' } })).status)
      .toBe(409)
    const again = restore(id) // Both requests wait for the same job.
    expect([(await asked).status, (await again).status]).toEqual([201, 201])
    const { json } = await api.get(`/audit?object=svn/${id}&action=repository.restore`, { as: ADA })
    expect(json).toMatchObject([{ actor: { id: ADA.id }, after: { is_deleted: false, name: 'held' } }])
  })

  test('responds with the job if it failed, and succeeds after the cause is fixed', async () => {
    const { id, url } = await create('damaged')
    await put(TOM, `${url}/seed`, 'apple', 'A seed.')
    await remove(id)
    await drainWorker(context)
    const { rows } = await sql<{ dump_file: string }>`select dump_file from repository where id = ${id}`.execute(
      context.db,
    )
    const file = join(root, 'deleted', rows[0]?.dump_file ?? '')
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(0, whole.length - 20))
    const { status, json } = await restore(id)
    expect([status, json.type, json.state, json.object]).toEqual([202, 'svn_restore', 'retrying', `svn/${id}`])
    expect((await api.get(`/jobs/${json.id}`, { as: ADA })).json.attempts_log).toHaveLength(1)
    expect((await api.get(`/svn/${id}`, { as: ADA })).status).toBe(404)
    expect(await readdir(join(root, 'making'))).toEqual([])

    await writeFile(file, whole)
    await sql`update job set state = 'waiting', run_after = null where object = ${`svn/${id}`} and state = 'retrying'`.execute(
      context.db,
    )
    await drainWorker(context)
    expect((await svn(TOM, 'cat', `${url}/seed`)).out).toBe('apple')
  })

  test('Z44/svn requires a site administrator, and a repository in the trash', async () => {
    const { id } = await create('lost')
    expect(await restore(id)).toMatchObject(refused(404, 'not_found'))
    await remove(id)
    expect((await api.post(`/svn/${id}/restore`)).status).toBe(401)
    for (const as of [MARA, TOM, OLGA])
      for (const each of [id, 999_999])
        expect(await api.post(`/svn/${each}/restore`, { as })).toMatchObject(refused(403, 'permission_denied'))
    expect(await restore(999_999)).toMatchObject(refused(404, 'not_found'))
    const dry = await api.post(`/svn/${id}/restore?dry_run=true`, { as: ADA })
    expect([dry.status, dry.json.dry_run.status, dry.json.dry_run.would_answer.name]).toEqual([200, 201, 'lost'])
    expect((await api.get(`/svn/${id}`, { as: ADA })).status).toBe(404)
    const key = { 'idempotency-key': 'once' }
    const first = await restore(id, undefined, key)
    const second = await restore(id, undefined, key)
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    const { rows } = await sql<{ type: string; actor_id: number }>`
      select type, actor_id from event where object = ${`svn/${id}`} order by id`.execute(context.db)
    expect(rows.map(({ type }) => type)).toEqual(['svn.created', 'svn.deleted', 'svn.created'])
    expect(rows[2]?.actor_id).toBe(ADA.id)
  })
})
