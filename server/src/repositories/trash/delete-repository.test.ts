import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { MARSH, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'

const { api, context, svn, put, root, svnOrigin, work } = await startSvnWorld()

const create = async (name: string, settings: object = {}) => {
  const { json } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name, settings } })
  return { id: Number(json.id), url: `${svnOrigin}/svn/orchard/${name}` }
}
const remove = (id: number, as: TestPerson = MARA, query = '') => api.delete(`/svn/${id}${query}`, { as })
const placed = async () => (await readdir(join(root, 'repositories', 'orchard'))).toSorted()
const jobsOf = async (id: number) => {
  const { rows } = await sql<{ type: string; state: string; last_error: string | null }>`
    select type, state, last_error from job where object = ${`svn/${id}`} order by id`.execute(context.db)
  return rows
}

describe('DELETE /svn/{id}', () => {
  test('removes a repository from all readers at once', async () => {
    const { id, url } = await create('gone', { layout: ['trunk'] })
    const { json: whole } = await api.get(`/svn/${id}`, { as: MARA })
    expect(await remove(id)).toMatchObject({ status: 202, text: '' })
    for (const answer of [
      await api.get(`/svn/${id}`, { as: MARA }),
      await api.get(`/svn/${id}/tree`, { as: MARA }),
      await api.put(`/svn/${id}`, { as: MARA, body: { settings: whole.settings } }),
      await remove(id),
    ])
      expect(answer).toMatchObject(refused(404, 'not_found'))
    expect((await api.get(`/projects/${ORCHARD}/svn?limit=100`, { as: MARA })).text).not.toContain('"gone"')
    for (const args of [
      ['checkout', url, join(work, 'none')],
      ['log', url],
      ['mkdir', '-m', 'Late.', `${url}/late`],
    ]) {
      const { code, error } = await svn(TOM, ...args)
      expect([code, error]).toEqual([
        1,
        (await svn(TOM, 'log', `${svnOrigin}/svn/orchard/never`)).error.replaceAll('never', 'gone'),
      ])
    }
  })

  test('stores the content as a dump, and then removes the folder', async () => {
    const { id, url } = await create('kept', { layout: ['trunk'] })
    await put(TOM, `${url}/trunk/seed`, 'apple', 'A seed.')
    await remove(id)
    expect(await placed()).toContain('kept')
    await drainWorker(context)
    expect(await placed()).not.toContain('kept')
    const { rows } = await sql<{ dump_file: string; dump_revision: number }>`
      select dump_file, dump_revision from repository where id = ${id}`.execute(context.db)
    expect(rows[0]?.dump_revision).toBe(2)
    expect(await readdir(join(root, 'deleted'))).toContain(rows[0]?.dump_file)
    expect(await readdir(join(root, 'deleted'))).not.toContain(String(id))
    expect(await readdir(join(root, 'making'))).toEqual([])
    expect(await jobsOf(id)).toEqual([{ type: 'svn_dump', state: 'done', last_error: null }])
  })

  test('frees the name before the work on disk is done', async () => {
    const first = await create('again')
    await put(TOM, `${first.url}/old`, 'old', 'Old.')
    await remove(first.id)
    const second = await create('Again')
    await remove(second.id)
    const third = await create('again')
    await put(TOM, `${third.url}/new`, 'new', 'New.')
    await drainWorker(context)
    expect((await svn(TOM, 'list', third.url)).out).toBe('new\n')
    const { rows } = await sql<{ dump_revision: number }>`
      select dump_revision from repository where id in (${first.id}, ${second.id}) order by id`.execute(context.db)
    expect(rows).toEqual([{ dump_revision: 1 }, { dump_revision: 0 }])
  })

  test('only validates in a dry run', async () => {
    const { id, url } = await create('dry')
    const { status, json } = await remove(id, MARA, '?dry_run=true')
    expect([status, json.dry_run.status, json.dry_run.would_answer]).toEqual([200, 202, null])
    expect(json.dry_run.changes).toEqual([
      { object: `svn/${id}`, op: 'delete', fields: [{ name: 'name', before: 'dry', after: null }] },
    ])
    expect((await svn(TOM, 'log', url)).code).toBe(0)
    expect(await jobsOf(id)).toEqual([])
  })

  test('requires a repository administrator of an active project', async () => {
    const { id } = await create('mine')
    expect((await api.delete(`/svn/${id}`)).status).toBe(401)
    for (const person of [TOM, GUS, OLGA])
      expect(await remove(id, person)).toMatchObject(refused(403, 'permission_denied'))
    const vault = await api.post('/svn', { as: VICTOR, body: { project_id: VAULT, name: 'theirs' } })
    expect(await remove(vault.json.id)).toMatchObject(refused(404, 'not_found'))
    expect(await remove(999_999)).toMatchObject(refused(404, 'not_found'))
    expect((await api.delete(`/svn/${id}`, { as: MARA, headers: { 'if-match': '"other"' } })).status).toBe(412)
    const { etag } = (await api.get(`/svn/${id}`, { as: MARA })).headers
    expect((await api.delete(`/svn/${id}`, { as: MARA, headers: { 'if-match': etag ?? '' } })).status).toBe(202)
    const { rows } = await sql<{ id: number }>`
      insert into repository (project_id, name, created_on) values (${MARSH}, 'frozen', now()) returning id`.execute(
      context.db,
    )
    await sql`insert into repository_access_file (project_id, repository_id, version, text, has_default_permissions, made_on)
      values (${MARSH}, ${rows[0]?.id}, 1, '', true, now())`.execute(context.db)
    expect(await remove(rows[0]?.id ?? 0, ADA)).toMatchObject(refused(400, 'rule_violated'))
  })

  test('emits one event and one audit entry', async () => {
    const { id } = await create('told')
    await remove(id)
    await remove(id)
    const { rows } = await sql<{ type: string; actor_id: number }>`
      select type, actor_id from event where object = ${`svn/${id}`} order by id`.execute(context.db)
    expect(rows).toEqual([
      { type: 'svn.created', actor_id: MARA.id },
      { type: 'svn.deleted', actor_id: MARA.id },
    ])
    const { json } = await api.get(`/audit?object=svn/${id}&action=repository.delete`, { as: ADA })
    expect(json).toMatchObject([{ actor: { id: MARA.id }, before: { name: 'told' }, outcome: 'done' }])
  })

  test('lists the repository in the trash of the project and of the platform', async () => {
    const { id } = await create('thrown')
    await remove(id)
    const entry = {
      type: 'repository',
      id,
      uri: `svn/${id}`,
      label: 'thrown',
      project: { id: ORCHARD, label: 'Orchard' },
      deleted_by: { id: MARA.id, username: 'mara' },
      restore_uri: `svn/${id}/restore`,
    }
    expect((await api.get(`/projects/${ORCHARD}/trash?limit=50`, { as: MARA })).json).toContainEqual(
      expect.objectContaining(entry),
    )
    expect((await api.get('/trash?type=repository', { as: ADA })).json).toContainEqual(expect.objectContaining(entry))
    expect((await api.get(`/trash?type=tracker&project=${ORCHARD}`, { as: ADA })).text).not.toContain('thrown')
  })

  test('reports why a repository cannot be dumped, and keeps it', async () => {
    const { id } = await create('broken')
    await remove(id)
    await writeFile(join(root, 'repositories', 'orchard', 'broken', 'db', 'current'), '7\n')
    await drainWorker(context)
    expect(await jobsOf(id)).toMatchObject([{ state: 'retrying', last_error: expect.stringContaining('svnadmin') }])
    expect(await readdir(join(root, 'deleted'))).toContain(String(id))
    expect(await readdir(join(root, 'making'))).toEqual([])
  })
})
