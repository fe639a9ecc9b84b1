import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { announced, base64, blobsOf, emptyStore, uploadsBy } from '../../../test/harness/temporary-files.ts'

const { api, context, clock } = await startWorld()
const tom = uploadsBy(api, TOM)
beforeEach(() => emptyStore(context))

const notFound = refused(404, 'not_found', { cause: 'file_not_found' })

async function created(content = 'Hello, Waypost!\n', as = TOM): Promise<number> {
  return (await uploadsBy(api, as).create(content)).json.id
}

describe('GET /artifact_temporary_files/{id}', () => {
  test('returns the file in chunks, with matching headers', async () => {
    const id = await created()
    const first = await tom.read(id, '?offset=0&limit=10')
    expect(first.json).toEqual({ data: 'SGVsbG8sIFdheQ==' })
    expect(first.headers).toMatchObject({
      'x-pagination-limit': '10',
      'x-pagination-offset': '0',
      'x-pagination-size': '16',
      'x-pagination-limit-max': '1048576',
      'x-upload-max-file-chunksize': '1048576',
      'x-quota': '4294967296',
      'x-disk-usage': '16',
      allow: 'OPTIONS, GET, PUT, DELETE',
    })
    expect((await tom.read(id, '?offset=10&limit=10')).json).toEqual({ data: 'cG9zdCEK' })
  })

  test.each([
    ['?offset=16', ''],
    ['?limit=0', ''],
    ['?offset=15&limit=1048576', base64('\n')],
  ])('%s returns %j', async (query, data) => {
    expect((await tom.read(await created(), query)).json).toEqual({ data })
  })

  test.each([
    ['?offset=17', 416, 'range_not_satisfiable'],
    ['?limit=1048577', 400, 'parameter_out_of_range'],
    ['?offset=-1', 400, 'parameter_out_of_range'],
    ['?offset=one', 400, 'parameter_invalid'],
  ])('%s is refused by %i', async (query, status, reason) => {
    expect(await tom.read(await created(), query)).toMatchObject(refused(status, reason))
  })

  test('an empty file has an empty chunk', async () => {
    expect((await tom.read(await created(''))).json).toEqual({ data: '' })
  })

  test('is visible to the uploader only; files of others and unknown ids get the same response', async () => {
    const id = await created()
    expect(await uploadsBy(api, UMA).read(id)).toMatchObject(notFound)
    expect(await tom.read((await announced(context, 10)).id)).toMatchObject(notFound)
    expect(await tom.read(999_999)).toMatchObject(notFound)
    expect(await api.get(`/artifact_temporary_files/${id}`)).toMatchObject(refused(401, 'authentication_required'))
  })
})

describe('GET /artifact_temporary_files', () => {
  test("lists the caller's unattached files, with pagination", async () => {
    const ids: number[] = []
    for (let index = 0; index < 12; index++) ids.push(await created(String(index)))
    await created('hers', UMA)
    await announced(context, 10)
    const { json, headers } = await tom.list()
    expect(json.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 10))
    expect(headers).toMatchObject({
      'x-pagination-limit': '10',
      'x-pagination-size': '12',
      'x-pagination-limit-max': '50',
      'x-disk-usage': '24',
    })
    const [, next = ''] = /cursor=([^&>]+)[^>]*>; rel="next"/.exec(String(headers['link'])) ?? []
    expect((await tom.list(`?cursor=${next}`)).json.map(({ id }: { id: number }) => id)).toEqual(ids.slice(10))
    expect((await tom.list('?limit=1&offset=11')).json).toMatchObject([{ id: ids[11], html_url: null, size: 2 }])
    expect((await tom.list('?limit=51')).status).toBe(400)
    expect((await uploadsBy(api, OLGA).list()).json).toEqual([])
    expect((await api.get('/artifact_temporary_files')).status).toBe(401)
  })

  test('omits expired files', async () => {
    await created()
    clock.advance(72 * 3_600_000)
    const { json, headers } = await tom.list()
    expect([json, headers['x-pagination-size'], headers['x-disk-usage']]).toEqual([[], '0', '0'])
  })
})

describe('DELETE /artifact_temporary_files/{id}', () => {
  test('deletes the file and its bytes, and frees its quota', async () => {
    const id = await created()
    const answer = await tom.remove(id)
    expect([answer.status, answer.text, answer.headers['x-disk-usage']]).toEqual([200, '', '0'])
    expect(await tom.read(id)).toMatchObject(notFound)
    expect(await tom.remove(id)).toMatchObject(notFound)
    await runJobs(context)
    expect(await blobsOf(context, 'pieces')).toEqual([])
    expect((await sql`select from file_piece`.execute(context.db)).rows).toEqual([])
  })

  test("keeps files of others and, in a dry run, the caller's", async () => {
    const id = await created()
    expect(await uploadsBy(api, UMA).remove(id)).toMatchObject(notFound)
    expect((await api.delete(`/artifact_temporary_files/${id}?dry_run=true`, { as: TOM })).json.dry_run).toMatchObject({
      changes: [{ object: `artifact_files/${id}`, op: 'delete' }],
    })
    await runJobs(context)
    expect((await tom.read(id)).json).toEqual({ data: base64('Hello, Waypost!\n') })
  })
})
